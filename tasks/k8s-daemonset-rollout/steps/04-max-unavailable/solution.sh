kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}'
kubectl set env daemonset/agent LEVEL=debug
kubectl rollout status daemonset/agent --timeout=120s
