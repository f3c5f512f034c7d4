# rejected by: taint-kept
kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl taint nodes -l node-role.kubernetes.io/control-plane node-role.kubernetes.io/control-plane:NoSchedule-
