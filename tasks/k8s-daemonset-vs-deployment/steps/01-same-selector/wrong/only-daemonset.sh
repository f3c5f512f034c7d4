# rejected by: deployment-selector
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}}}'
