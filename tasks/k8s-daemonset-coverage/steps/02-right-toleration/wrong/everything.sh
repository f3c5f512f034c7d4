# rejected by: toleration
kubectl patch daemonset agent --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations/-","value":{"operator":"Exists"}}]'
