kubectl create priorityclass node-agents --value=1000000 --description="Agents that every node needs"
kubectl get daemonset log-agent -o yaml | sed 's/^      containers:/      priorityClassName: node-agents\n      containers:/' | kubectl apply -f -
