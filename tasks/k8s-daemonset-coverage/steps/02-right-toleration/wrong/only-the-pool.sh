# rejected by: everywhere
kubectl patch daemonset agent --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations/-","value":{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"}}]'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"pool":"gpu"}}}}}'
