# rejected by: second-daemonset
kubectl set image daemonset/node-agent agent=busybox:1.37
