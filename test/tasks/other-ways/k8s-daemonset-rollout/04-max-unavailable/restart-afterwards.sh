kubectl set env daemonset/agent LEVEL=debug
kubectl rollout status daemonset/agent --timeout=20s
kubectl patch daemonset agent --type=merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}'
kubectl rollout restart daemonset/agent
