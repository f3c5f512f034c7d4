kubectl patch daemonset agent --type=json -p '[{"op":"add","path":"/spec/template/spec/containers/0/env","value":[{"name":"LEVEL","value":"info"}]}]'
timeout 5 kubectl get pods --watch
