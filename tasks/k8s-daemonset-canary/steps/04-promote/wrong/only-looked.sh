# rejected by: promoted
kubectl get daemonset -o wide
