kubectl create priorityclass reports --value=999 --preemption-policy=PreemptLowerPriority
kubectl get deployment report -o yaml | sed 's/system-node-critical/reports/' | kubectl apply -f -
