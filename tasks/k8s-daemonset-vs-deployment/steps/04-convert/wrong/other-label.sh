# rejected by: same-pod
kubectl apply -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-shipper}
spec:
  selector: {matchLabels: {app: shipper}}
  template:
    metadata: {labels: {app: shipper}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: shipper, image: 'busybox:1.36', command: [sleep, infinity]}]
YAML
kubectl rollout status daemonset/log-shipper --timeout=20s
kubectl delete deployment log-shipper
