kubectl patch daemonset node-agent --type=merge -p '{"spec":{"replicas":5}}'
