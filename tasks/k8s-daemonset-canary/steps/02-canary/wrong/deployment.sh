# rejected by: second-daemonset
kubectl create deployment node-agent-canary --image=busybox:1.37 -- sleep infinity
