kubectl rollout status ds/node-agent-canary
kubectl rollout status ds/node-agent
kubectl get daemonset node-agent -o yaml | sed 's/busybox:1.36/busybox:1.37/' | kubectl replace -f -
