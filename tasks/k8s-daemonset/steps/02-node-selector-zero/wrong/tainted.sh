# rejected by: node-selector
kubectl taint nodes -l '!node-role.kubernetes.io/control-plane' away=yes:NoExecute
