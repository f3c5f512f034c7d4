# rejected by: max-unavailable
kubectl set env daemonset/agent LEVEL=debug; kubectl rollout status daemonset/agent --timeout=20s
