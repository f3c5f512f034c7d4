# rejected by: fleets
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"fleet":"stable"}}}}}'
