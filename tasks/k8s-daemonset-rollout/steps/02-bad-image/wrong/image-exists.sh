# rejected by: bad-image
kubectl set image daemonset/agent agent=busybox:1.37; kubectl rollout status daemonset/agent --timeout=20s
