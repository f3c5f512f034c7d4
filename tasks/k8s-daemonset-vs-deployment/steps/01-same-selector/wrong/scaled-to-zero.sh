# rejected by: pending-pod
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}}}'
kubectl scale deployment web --replicas=0
