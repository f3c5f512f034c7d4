kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","image":"registry.invalid/agent:2"}]}}}}'
