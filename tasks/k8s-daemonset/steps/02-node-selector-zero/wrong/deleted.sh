# rejected by: node-selector
kubectl delete daemonset node-agent
