kubectl get events
kubectl get daemonset log-agent -o yaml | sed 's/cpu: "250"/cpu: 300m/' | kubectl replace --force -f -
