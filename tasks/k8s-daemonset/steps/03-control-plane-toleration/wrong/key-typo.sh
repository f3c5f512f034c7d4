# rejected by: toleration
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null,"tolerations":[{"key":"node-role.kubernetes.io/controlplane","operator":"Exists","effect":"NoSchedule"}]}}}}'
