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
      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: fleet, operator: In, values: [canary]}]}]}}}
      terminationGracePeriodSeconds: 1
      containers:
        - name: agent
          image: busybox:1.37
          command: [sleep, infinity]
E
