kubectl apply --server-side -f - <<'E'
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent-canary
spec:
  selector:
    matchLabels: {app: agent-next}
  template:
    metadata:
      labels: {app: agent-next}
    spec:
      nodeSelector: {fleet: canary}
      terminationGracePeriodSeconds: 1
      containers:
        - name: agent
          image: busybox:1.37
          command: [sleep, infinity]
E
