# rejected by: bad-image
kubectl set image daemonset/agent busybox=busybox:1.36-does-not-exist
