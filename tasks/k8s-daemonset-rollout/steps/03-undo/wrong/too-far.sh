# rejected by: level
kubectl rollout undo daemonset/agent --to-revision=1; kubectl rollout status daemonset/agent --timeout=20s
