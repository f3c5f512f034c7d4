kubectl get events --field-selector reason=FailedScheduling
kubectl set resources daemonset log-agent --requests=cpu=250m,memory=32Mi
