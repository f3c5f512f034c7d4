# rejected by: toleration
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
node=$(kubectl get nodes -l node-role.kubernetes.io/control-plane -o jsonpath='{.items[0].metadata.name}')
kubectl run node-agent-by-hand --image=busybox:1.36 --overrides="{\"spec\":{\"nodeName\":\"$node\"}}" --command -- sleep infinity
