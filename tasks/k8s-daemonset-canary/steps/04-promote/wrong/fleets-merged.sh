# rejected by: everywhere
kubectl get daemonset -o wide
kubectl set image daemonset/node-agent agent=busybox:1.37
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
