kubectl get daemonset agent -o yaml | sed -e 's/maxUnavailable: 1/maxUnavailable: 100%/' -e 's/value: info/value: debug/' | kubectl apply -f -
kubectl rollout status daemonset/agent --timeout=20s
