# rejected by: others-untouched
kubectl get events >/dev/null
kubectl scale deployment batch --replicas=0
kubectl set resources daemonset log-agent --requests=cpu=250m
