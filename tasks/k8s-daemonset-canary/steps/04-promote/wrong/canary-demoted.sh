# rejected by: everywhere
kubectl get daemonset -o wide
kubectl set image daemonset/node-agent agent=busybox:1.37
kubectl set image daemonset/node-agent-canary agent=busybox:1.36
