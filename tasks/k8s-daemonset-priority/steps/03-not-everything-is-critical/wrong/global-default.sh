# rejected by: between
kubectl create priorityclass reports --value=1000 --global-default
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"reports"}}}}'
