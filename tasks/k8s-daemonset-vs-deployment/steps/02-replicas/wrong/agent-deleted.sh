# rejected by: selectors-gone
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl delete daemonset agent; kubectl scale deployment/web --replicas=4
