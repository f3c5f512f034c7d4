# rejected by: coverage
kubectl get pods -l app=agent > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt
