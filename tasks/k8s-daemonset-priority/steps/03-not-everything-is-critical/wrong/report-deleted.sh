# rejected by: report-not-critical
kubectl delete deployment report
