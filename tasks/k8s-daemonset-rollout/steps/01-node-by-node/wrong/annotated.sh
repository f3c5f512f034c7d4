# rejected by: level
kubectl annotate daemonset agent LEVEL=info; kubectl rollout restart daemonset/agent; kubectl rollout status daemonset/agent --timeout=20s
