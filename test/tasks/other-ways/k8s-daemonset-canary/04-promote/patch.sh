kubectl get pods -o wide
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","image":"busybox:1.37"}]}}}}'
