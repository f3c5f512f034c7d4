kubectl set env daemonset/agent LEVEL=warn
kubectl rollout status daemonset/agent --timeout=20s
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl rollout restart daemonset/agent
kubectl delete "$(kubectl get pods -l app=agent -o name | head -1)"
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}'
