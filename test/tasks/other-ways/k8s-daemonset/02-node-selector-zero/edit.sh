EDITOR="sed -i 's/^    spec:/    spec:\\n      nodeSelector:\\n        disk: none/'" kubectl edit daemonset node-agent
