# rejected by: bad-image
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","command":["false"]}]}}}}'
