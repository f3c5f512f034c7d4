# rejected by: coverage
kubectl get pods -l app=agent -o wide | grep -v control-plane > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt
