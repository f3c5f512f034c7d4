# rejected by: report-not-critical
kubectl create priorityclass reports --value=1000
