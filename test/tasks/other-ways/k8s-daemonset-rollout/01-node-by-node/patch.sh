kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","env":[{"name":"LEVEL","value":"info"}]}]}}}}'
kubectl rollout status daemonset/agent --timeout=20s
