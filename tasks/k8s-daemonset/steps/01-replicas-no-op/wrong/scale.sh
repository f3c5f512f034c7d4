# rejected by: sent
kubectl scale daemonset node-agent --replicas=5
