# rejected by: class
kubectl create priorityclass node-agents --value=1000000 --global-default
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"node-agents"}}}}'
