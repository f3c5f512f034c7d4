node=$(kubectl get nodes -l 'fleet=stable,!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[0].metadata.name}')
kubectl patch node $node --type json -p '[{"op":"replace","path":"/metadata/labels/fleet","value":"canary"}]'
