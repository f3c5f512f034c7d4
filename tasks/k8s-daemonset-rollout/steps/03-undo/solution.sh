kubectl rollout undo daemonset/agent
kubectl rollout status daemonset/agent --timeout=120s
