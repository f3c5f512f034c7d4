kubectl patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":"50%"}},"template":{"spec":{"containers":[{"name":"agent","env":[{"name":"LEVEL","value":"debug"}]}]}}}}'
kubectl rollout status daemonset/agent --timeout=20s
