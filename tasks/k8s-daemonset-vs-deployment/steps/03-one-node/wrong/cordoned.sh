# rejected by: same-node
NODE=$(kubectl get pods -l app=agent -o jsonpath='{.items[0].spec.nodeName}')
kubectl cordon "$NODE"
kubectl rollout restart deployment/web daemonset/agent
