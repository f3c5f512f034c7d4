# rejected by: image-back
kubectl rollout restart daemonset/agent
