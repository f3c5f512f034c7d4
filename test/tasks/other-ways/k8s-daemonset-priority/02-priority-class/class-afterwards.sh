kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"node-agents"}}}}'
sleep 1
kubectl create priorityclass node-agents --value=1000000000
