# rejected by: max-unavailable
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"33%"}}}}'
kubectl set env daemonset/agent LEVEL=debug; kubectl rollout status daemonset/agent --timeout=20s
