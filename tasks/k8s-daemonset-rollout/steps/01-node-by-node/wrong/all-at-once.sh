# rejected by: strategy-kept
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"100%"}}}}'
kubectl set env daemonset/agent LEVEL=info; kubectl rollout status daemonset/agent --timeout=20s
