# rejected by: surge
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set env daemonset/agent LEVEL=warn; kubectl delete "$(kubectl get pods -l app=agent -o name | head -1)"
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'
kubectl rollout status daemonset/agent --timeout=20s
