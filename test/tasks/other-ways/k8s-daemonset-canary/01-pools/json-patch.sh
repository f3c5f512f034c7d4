node=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[0].metadata.name}')
kubectl label node "$node" fleet=canary --overwrite
kubectl patch daemonset node-agent --type json -p '[{"op":"add","path":"/spec/template/spec/nodeSelector","value":{"fleet":"stable"}}]'
