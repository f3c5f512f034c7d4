kubectl patch daemonset agent --type=json -p '[{"op":"replace","path":"/spec/updateStrategy/rollingUpdate/maxUnavailable","value":3}]'
kubectl patch daemonset agent --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/env/0/value","value":"debug"}]'
