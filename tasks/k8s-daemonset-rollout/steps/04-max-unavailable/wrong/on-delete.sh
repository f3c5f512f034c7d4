# rejected by: max-unavailable
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"type":"OnDelete"}}}'
kubectl set env daemonset/agent LEVEL=debug; kubectl delete pods --all
