kubectl delete daemonset node-agent
kubectl create -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-agent}
spec:
  selector: {matchLabels: {app: node-agent}}
  template:
    metadata: {labels: {app: node-agent}}
    spec:
      tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
      containers: [{name: agent, image: 'busybox:1.36', command: [sleep, infinity]}]
YAML
