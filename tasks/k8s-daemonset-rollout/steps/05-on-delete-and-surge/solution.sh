kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set env daemonset/agent LEVEL=warn
kubectl delete "$(kubectl get pods -l app=agent -o name | head -1)"
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}'
kubectl rollout status daemonset/agent --timeout=120s
