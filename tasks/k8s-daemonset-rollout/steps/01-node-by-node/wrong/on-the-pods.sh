# rejected by: level
kubectl set env pods -l app=agent LEVEL=info; kubectl delete pods -l app=agent; kubectl rollout status daemonset/agent --timeout=20s
