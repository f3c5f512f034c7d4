# rejected by: request
kubectl get events >/dev/null
kubectl patch daemonset log-agent --type json -p '[{"op":"remove","path":"/spec/template/spec/containers/0/resources/requests/cpu"}]'
