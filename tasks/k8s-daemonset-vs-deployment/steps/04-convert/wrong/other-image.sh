# rejected by: same-pod
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
      containers: [{name: shipper, image: 'busybox:1.37', command: [sleep, infinity]}]
YAML
kubectl rollout status daemonset/log-shipper --timeout=20s
kubectl delete deployment log-shipper
