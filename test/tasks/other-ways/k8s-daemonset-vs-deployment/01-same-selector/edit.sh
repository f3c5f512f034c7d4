export EDITOR="sed -i 's/^    spec:/    spec:\\n      nodeSelector:\\n        disk: none/'"
kubectl edit daemonset agent
kubectl edit deployment web
