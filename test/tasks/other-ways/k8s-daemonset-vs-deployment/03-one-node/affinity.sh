NODE=$(kubectl get pods -l app=agent -o jsonpath='{.items[0].spec.nodeName}')
for workload in deployment/web daemonset/agent; do
  kubectl patch "$workload" -p '{"spec":{"template":{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["'$NODE'"]}]}]}}}}}}}'
done
