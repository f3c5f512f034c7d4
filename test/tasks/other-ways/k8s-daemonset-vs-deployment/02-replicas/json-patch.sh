kubectl patch daemonset agent --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeSelector"}]'
kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/spec/template/spec/nodeSelector"},{"op":"replace","path":"/spec/replicas","value":3}]'
kubectl scale ds agent --replicas=3
