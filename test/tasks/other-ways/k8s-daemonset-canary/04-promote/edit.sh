kubectl get ds node-agent node-agent-canary
EDITOR='sed -i s/busybox:1.36/busybox:1.37/' kubectl edit daemonset node-agent
