# rejected by: same-selector
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}}}'
