# rejected by: toleration
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl patch daemonset node-agent -p '{"spec":{"tolerations":[{"key":"node-role.kubernetes.io/control-plane","operator":"Exists","effect":"NoSchedule"}]}}'
