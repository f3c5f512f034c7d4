# rejected by: toleration
kubectl patch daemonset agent --type=json -p '[{"op":"add","path":"/spec/template/spec/tolerations/-","value":{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoExecute"}}]'
