# rejected by: node-selector
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/os":"linux"}}}}}'
