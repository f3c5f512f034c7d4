# rejected by: on-delete
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}'
kubectl set env daemonset/agent LEVEL=warn; kubectl rollout status daemonset/agent --timeout=20s
