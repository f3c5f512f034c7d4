# rejected by: selects-stable
node=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[-1:].metadata.name}')
kubectl label node "$node" fleet=canary --overwrite
kubectl taint node "$node" fleet=canary:NoExecute
