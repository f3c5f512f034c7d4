# rejected by: request
kubectl get events >/dev/null
kubectl set resources daemonset log-agent --requests=cpu=900m
