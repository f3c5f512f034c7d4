kubectl apply -f - <<'E'
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent-canary
spec:
  selector:
    matchLabels: {app: node-agent-canary}
  template:
    metadata:
      labels: {app: node-agent-canary}
    spec:
      nodeSelector: {fleet: canary}
      terminationGracePeriodSeconds: 1
      containers:
        - name: agent
          image: busybox:1.37
          command: [sleep, infinity]
E
