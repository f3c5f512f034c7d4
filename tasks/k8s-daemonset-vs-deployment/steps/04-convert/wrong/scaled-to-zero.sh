# rejected by: deployment-gone
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-shipper}
spec:
  selector: {matchLabels: {app: log-shipper}}
  template:
    metadata: {labels: {app: log-shipper}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: shipper, image: 'busybox:1.36', command: [sleep, infinity]}]
YAML
kubectl scale deployment log-shipper --replicas=0
