# rejected by: between
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
