# rejected by: class
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"node-agents"}}}}'
