# rejected by: fleets
kubectl label node -l node-role.kubernetes.io/control-plane fleet=canary --overwrite
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"fleet":"stable"}}}}}'
