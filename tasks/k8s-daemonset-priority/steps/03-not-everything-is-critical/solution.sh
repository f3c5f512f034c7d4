kubectl create priorityclass reports --value=1000
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
