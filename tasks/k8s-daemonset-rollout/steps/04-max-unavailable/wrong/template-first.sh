# rejected by: in-this-order
kubectl set env daemonset/agent LEVEL=debug; kubectl rollout status daemonset/agent --timeout=20s
kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}'
