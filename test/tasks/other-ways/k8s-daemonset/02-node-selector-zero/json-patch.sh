kubectl patch daemonset node-agent --type=json -p '[{"op":"add","path":"/spec/template/spec/nodeSelector","value":{"disk":"none"}}]'
