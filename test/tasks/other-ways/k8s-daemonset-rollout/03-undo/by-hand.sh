kubectl set image daemonset/agent '*=busybox:1.36'
kubectl rollout status daemonset/agent --timeout=20s
