# rejected by: deployment-selector
kubectl patch deployment web -p '{"spec":{"nodeSelector":{"disk":"ssd"}}}'
kubectl patch daemonset agent -p '{"spec":{"nodeSelector":{"disk":"ssd"}}}'
