EDITOR="sed -i 's/image: busybox:1.36/image: busybox:no-such-tag/'" kubectl edit daemonset agent
