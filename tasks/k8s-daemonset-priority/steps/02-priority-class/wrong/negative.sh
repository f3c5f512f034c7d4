# rejected by: class
kubectl create priorityclass node-agents --value=-10
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"node-agents"}}}}'
