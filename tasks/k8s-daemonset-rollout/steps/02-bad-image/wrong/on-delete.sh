# rejected by: strategy-kept
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set image daemonset/agent agent=busybox:1.36-does-not-exist; kubectl delete $(kubectl get pods -o name | head -1)
