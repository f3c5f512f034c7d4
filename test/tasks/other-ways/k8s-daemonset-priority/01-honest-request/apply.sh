kubectl get events -A
kubectl get daemonset log-agent -o yaml | sed 's/cpu: "250"/cpu: 220m/' | kubectl apply -f -
