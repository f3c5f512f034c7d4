node=$(kubectl get nodes -l 'fleet=stable,!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[0].metadata.name}')
EDITOR='sed -i "s/fleet: stable/fleet: canary/"' kubectl edit node $node
