# rejected by: one-by-hand
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set env daemonset/agent LEVEL=warn
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}'
kubectl rollout status daemonset/agent --timeout=20s
