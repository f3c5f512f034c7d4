# rejected by: coverage
kubectl get pods -l app=agent -o wide > coverage.txt; kubectl create configmap coverage --from-file=coverage.txt; kubectl rollout restart daemonset/agent; kubectl rollout status daemonset/agent --timeout=20s
