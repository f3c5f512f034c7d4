kubectl patch daemonset node-agent -p '{"spec":{"replicas":5}}'
