kubectl rollout undo daemonset/agent --to-revision=2
kubectl rollout status daemonset/agent --timeout=20s
