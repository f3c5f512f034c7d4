# rejected by: image-back
kubectl delete pods -l app=agent
