# rejected by: controllers-untouched
kubectl delete pod --all --wait=false
kubectl label node -l 'fleet=stable,!node-role.kubernetes.io/control-plane' fleet=canary --overwrite
