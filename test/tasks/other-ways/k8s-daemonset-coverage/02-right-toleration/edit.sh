EDITOR="sed -i 's/^      tolerations:/      tolerations:\\n      - {key: dedicated, value: gpu, effect: NoSchedule}/'" kubectl edit daemonset agent
