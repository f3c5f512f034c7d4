# rejected by: fleets
node=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[-1:].metadata.name}')
kubectl label node "$node" fleet-
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"fleet":"stable"}}}}}'
