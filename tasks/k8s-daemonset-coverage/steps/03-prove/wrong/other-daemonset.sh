# rejected by: coverage
kubectl get pods -l app=node-metrics -o wide > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt
