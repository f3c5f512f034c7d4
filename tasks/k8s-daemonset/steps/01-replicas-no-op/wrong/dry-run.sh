# rejected by: sent
kubectl patch daemonset node-agent --dry-run=server -p '{"spec":{"replicas":5}}'
