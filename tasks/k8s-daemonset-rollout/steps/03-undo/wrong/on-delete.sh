# rejected by: strategy-kept
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl rollout undo daemonset/agent
