# rejected by: same-node
NODE=$(kubectl get nodes -l node-role.kubernetes.io/control-plane -o jsonpath='{.items[0].metadata.name}')
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
