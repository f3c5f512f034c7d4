kubectl set env daemonset/agent LEVEL=info
kubectl rollout status daemonset/agent --timeout=120s
