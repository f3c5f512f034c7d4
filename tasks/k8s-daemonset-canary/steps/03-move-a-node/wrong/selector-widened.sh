# rejected by: controllers-untouched
kubectl patch daemonset node-agent-canary --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
