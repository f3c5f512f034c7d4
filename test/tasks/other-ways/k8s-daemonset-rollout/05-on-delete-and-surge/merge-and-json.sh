kubectl patch daemonset agent --type=json -p '[{"op":"replace","path":"/spec/updateStrategy/type","value":"OnDelete"}]'
kubectl patch daemonset agent --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/env/0/value","value":"warn"}]'
kubectl delete "$(kubectl get pods -l app=agent -o name | head -1)"
kubectl patch daemonset agent --type=merge -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"30%","maxUnavailable":0}}}}'
