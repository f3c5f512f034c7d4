# rejected by: promoted
kubectl get daemonset -o wide
kubectl set image daemonset/node-agent agent=busybox:1.38
