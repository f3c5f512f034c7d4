# rejected by: node-selector
kubectl cordon -l '!node-role.kubernetes.io/control-plane'
