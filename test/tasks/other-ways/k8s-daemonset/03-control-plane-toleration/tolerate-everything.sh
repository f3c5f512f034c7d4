kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null,"tolerations":[{"operator":"Exists"}]}}}}'
