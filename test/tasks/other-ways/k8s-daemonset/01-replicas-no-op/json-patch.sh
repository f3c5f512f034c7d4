kubectl patch daemonset node-agent --type=json -p '[{"op":"add","path":"/spec/replicas","value":5}]'
