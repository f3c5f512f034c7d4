# rejected by: strategy-kept
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set env daemonset/agent LEVEL=info; kubectl delete pods -l app=agent
