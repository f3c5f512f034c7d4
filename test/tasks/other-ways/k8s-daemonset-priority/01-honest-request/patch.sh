kubectl describe pod $(kubectl get pods -l app=log-agent -o jsonpath='{.items[0].metadata.name}')
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","resources":{"requests":{"cpu":"250m"}}}]}}}}'
