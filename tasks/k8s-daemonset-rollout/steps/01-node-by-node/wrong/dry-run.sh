# rejected by: level
kubectl set env daemonset/agent LEVEL=info --dry-run=server; kubectl rollout status daemonset/agent --timeout=20s
