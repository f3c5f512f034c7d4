kubectl apply --server-side --force-conflicts -f - <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-agent}
spec:
  selector: {matchLabels: {app: node-agent}}
  template:
    metadata: {labels: {app: node-agent}}
    spec:
      nodeSelector: {disk: none}
      containers: [{name: agent, image: 'busybox:1.36', command: [sleep, infinity]}]
YAML
