# rejected by: tried
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl scale deployment/web --replicas=4
