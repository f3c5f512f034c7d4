node=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[-1:].metadata.name}')
kubectl patch node "$node" -p '{"metadata":{"labels":{"fleet":"canary"}}}'
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"fleet","operator":"NotIn","values":["canary"]}]}]}}}}}}}'
