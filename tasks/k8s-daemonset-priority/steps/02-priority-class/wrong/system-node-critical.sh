# rejected by: uses-class
kubectl create priorityclass node-agents --value=1000000 --description="Agents that every node needs"
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"system-node-critical"}}}}'
