# rejected by: others-untouched
kubectl get events >/dev/null
kubectl delete deployment report
kubectl set resources daemonset log-agent --requests=cpu=250m
