# rejected by: coverage
kubectl get nodes > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt
