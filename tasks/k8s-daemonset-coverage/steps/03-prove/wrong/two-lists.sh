# rejected by: coverage
{ kubectl get nodes -o name; kubectl get pods -l app=agent -o name; } > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt
