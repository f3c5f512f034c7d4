# rejected by: compared
kubectl get ds -A; kubectl get pods -o wide
