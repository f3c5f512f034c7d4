kubectl label node -l 'fleet=stable,!node-role.kubernetes.io/control-plane' fleet=canary --overwrite
