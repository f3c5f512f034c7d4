kubectl get daemonset -o wide
kubectl set image daemonset/node-agent agent=busybox:1.37
kubectl rollout status daemonset/node-agent
