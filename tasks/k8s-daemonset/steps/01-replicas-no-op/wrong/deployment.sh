# rejected by: sent
kubectl create deployment node-agent --image=busybox:1.36 --replicas=5 -- sleep infinity
