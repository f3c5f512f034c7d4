# rejected by: daemon-set
kubectl get deployment log-shipper -o yaml | sed 's/^kind: Deployment/kind: DaemonSet/' | kubectl apply -f -
