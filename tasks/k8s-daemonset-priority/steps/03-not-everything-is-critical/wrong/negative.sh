# rejected by: between
kubectl create priorityclass reports --value=-1
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
