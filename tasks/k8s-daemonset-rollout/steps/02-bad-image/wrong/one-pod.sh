# rejected by: bad-image
kubectl set image $(kubectl get pods -o name | head -1) agent=busybox:1.36-does-not-exist
