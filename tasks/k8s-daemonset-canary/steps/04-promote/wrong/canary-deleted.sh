# rejected by: everywhere
kubectl get daemonset -o wide
kubectl set image daemonset/node-agent agent=busybox:1.37
kubectl delete daemonset node-agent-canary
