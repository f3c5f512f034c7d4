EDITOR="sed -i 's/^spec:/spec:\\n  replicas: 5/'" kubectl edit daemonset node-agent --validate=false
