# rejected by: not-stored
kubectl patch daemonset node-agent -p '{"spec":{"replicas":5}}'
kubectl delete daemonset node-agent
