# rejected by: agents-keep-theirs
kubectl create priorityclass reports --value=1000
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
kubectl patch daemonset log-agent -p '{"spec":{"template":{"spec":{"priorityClassName":"system-node-critical"}}}}'
