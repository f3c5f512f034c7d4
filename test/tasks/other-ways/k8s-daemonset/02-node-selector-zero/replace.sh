kubectl get daemonset node-agent -o yaml | sed 's/^    spec:/    spec:\n      nodeSelector:\n        disk: none/' | kubectl replace -f -
