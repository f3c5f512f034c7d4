# rejected by: node-selector
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"disk","operator":"In","values":["ssd-nvme"]}]}]}}}}}}}'
