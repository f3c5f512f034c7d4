# rejected by: node-selector
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/arch":"amd64"}}}}}'
kubectl label nodes --all kubernetes.io/arch=none --overwrite
