# rejected by: toleration
kubectl patch daemonset agent -p '{"spec":{"tolerations":[{"key":"node-role.kubernetes.io/control-plane","operator":"Exists","effect":"NoSchedule"},{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"}]}}'
