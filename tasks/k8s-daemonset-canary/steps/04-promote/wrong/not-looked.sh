# rejected by: looked-first
kubectl set image daemonset/node-agent agent=busybox:1.37
