# rejected by: between
kubectl create priorityclass reports --value=500000000
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
