# rejected by: daemon-set
kubectl scale deployment log-shipper --replicas=3
