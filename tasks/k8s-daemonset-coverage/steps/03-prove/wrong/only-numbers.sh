# rejected by: coverage
kubectl get daemonset agent; kubectl create configmap coverage --from-literal=ready=3
