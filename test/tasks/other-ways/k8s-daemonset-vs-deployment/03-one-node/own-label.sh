NODE=$(kubectl get pods -l app=agent -o jsonpath='{.items[0].spec.nodeName}')
kubectl label node "$NODE" role=crowded
for workload in deployment/web daemonset/agent; do
  kubectl patch "$workload" --type=merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"role":"crowded"}}}}}'
done
