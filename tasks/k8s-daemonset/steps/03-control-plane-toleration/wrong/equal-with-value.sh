# rejected by: toleration
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null,"tolerations":[{"key":"node-role.kubernetes.io/control-plane","operator":"Equal","value":"true","effect":"NoSchedule"}]}}}}'
