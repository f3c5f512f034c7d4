# rejected by: selectors-gone
kubectl scale daemonset/agent --replicas=4; kubectl scale deployment/web --replicas=4
