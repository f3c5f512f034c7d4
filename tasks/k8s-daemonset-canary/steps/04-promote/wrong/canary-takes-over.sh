# rejected by: promoted
kubectl get daemonset -o wide
kubectl delete daemonset node-agent
kubectl label node --all fleet=canary --overwrite
