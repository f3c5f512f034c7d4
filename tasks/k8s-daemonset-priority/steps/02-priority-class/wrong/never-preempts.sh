# rejected by: class
kubectl create priorityclass node-agents --value=1000000 --preemption-policy=Never
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"node-agents"}}}}'
