# rejected by: read-the-reason
kubectl get pods
kubectl set resources daemonset log-agent --requests=cpu=250m
