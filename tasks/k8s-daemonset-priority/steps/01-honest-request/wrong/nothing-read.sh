# rejected by: read-the-reason
kubectl set resources daemonset log-agent --requests=cpu=250m
