# rejected by: every-node
NODE=$(kubectl get nodes -l '!node-role.kubernetes.io/control-plane' -o jsonpath='{.items[0].metadata.name}')
kubectl apply -f - <<YAML
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-shipper}
spec:
  selector: {matchLabels: {app: log-shipper}}
  template:
    metadata: {labels: {app: log-shipper}}
    spec:
      terminationGracePeriodSeconds: 1
      nodeSelector: {kubernetes.io/hostname: $NODE}
      containers: [{name: shipper, image: 'busybox:1.36', command: [sleep, infinity]}]
YAML
kubectl rollout status daemonset/log-shipper --timeout=20s
kubectl delete deployment log-shipper
