# rejected by: strategy-kept
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":3}}}}'
kubectl set image daemonset/agent agent=busybox:1.36-does-not-exist
