kubectl create -f - <<'E'
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent-canary
spec:
  selector:
    matchLabels: {app: canary}
  template:
    metadata:
      labels: {app: canary}
    spec:
      nodeSelector: {fleet: canary}
      terminationGracePeriodSeconds: 1
      containers:
        - name: agent
          image: busybox:1.36
          command: [sleep, infinity]
E
kubectl set image daemonset/node-agent-canary agent=busybox:1.37
