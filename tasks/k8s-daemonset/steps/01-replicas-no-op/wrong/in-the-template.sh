# rejected by: sent
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"replicas":5}}}}'
