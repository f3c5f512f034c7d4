# rejected by: uses-class
kubectl create priorityclass node-agents --value=1000000 --description="Agents that every node needs"
