# rejected by: same-node
NODE=k8s-practice-worker-1
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"'$NODE'"}}}}}'
