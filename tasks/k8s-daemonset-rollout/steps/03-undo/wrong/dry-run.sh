# rejected by: image-back
kubectl rollout undo daemonset/agent --dry-run=server
