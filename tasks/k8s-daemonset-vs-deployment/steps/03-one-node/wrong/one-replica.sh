# rejected by: two-replicas
NODE=$(kubectl get pods -l app=agent -o jsonpath='{.items[0].spec.nodeName}')
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
kubectl scale deployment web --replicas=1
