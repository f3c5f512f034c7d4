node=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[-1:].metadata.name}')
kubectl label node "$node" fleet=canary --overwrite
EDITOR='sed -i "s/^      containers:/      nodeSelector: {fleet: stable}\n      containers:/"' kubectl edit daemonset node-agent
