# rejected by: both-nodes-wanted
kubectl get events >/dev/null
kubectl set resources daemonset log-agent --requests=cpu=250m
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"pool":"quiet"}}}}}'
