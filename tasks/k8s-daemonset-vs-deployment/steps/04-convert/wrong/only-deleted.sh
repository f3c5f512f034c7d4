# rejected by: daemon-set
kubectl delete deployment log-shipper
