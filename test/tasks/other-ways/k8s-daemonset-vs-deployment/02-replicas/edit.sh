EDITOR="sed -i -e '/nodeSelector:/,+1d' -e 's/replicas: 1/replicas: 6/'" kubectl edit deployment web
EDITOR="sed -i '/nodeSelector:/,+1d'" kubectl edit daemonset agent
kubectl scale --replicas=6 daemonset agent
