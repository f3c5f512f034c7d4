# rejected by: node-selector
kubectl patch daemonset node-agent -p '{"spec":{"nodeSelector":{"disk":"ssd-nvme"}}}'
