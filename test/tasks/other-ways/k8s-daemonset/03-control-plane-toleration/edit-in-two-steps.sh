kubectl patch daemonset node-agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
EDITOR="sed -i 's/^    spec:/    spec:\\n      tolerations:\\n      - key: node-role.kubernetes.io\\/control-plane\\n        operator: Exists\\n        effect: NoSchedule/'" kubectl edit daemonset node-agent
