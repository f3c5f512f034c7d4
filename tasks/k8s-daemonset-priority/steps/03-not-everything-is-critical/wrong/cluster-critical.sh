# rejected by: report-not-critical
kubectl patch deployment report -p '{"spec":{"template":{"spec":{"priorityClassName":"system-cluster-critical"}}}}'
