# rejected by: toleration
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"pool":"gpu"}}}}}'
