kubectl get deployment/web daemonset/agent -o yaml | sed 's/^      spec:/      spec:\n        nodeSelector: {disk: none}/' | kubectl apply -f -
