# rejected by: sent
kubectl get daemonset node-agent
