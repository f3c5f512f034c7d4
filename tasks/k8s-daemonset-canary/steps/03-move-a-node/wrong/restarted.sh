# rejected by: controllers-untouched
kubectl label node -l 'fleet=stable,!node-role.kubernetes.io/control-plane' fleet=canary --overwrite
kubectl rollout restart daemonset/node-agent
