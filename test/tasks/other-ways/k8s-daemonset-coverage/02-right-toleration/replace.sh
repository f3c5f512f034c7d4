kubectl get daemonset agent -o yaml | sed 's/^      tolerations:/      tolerations:\n      - {key: dedicated, operator: Exists, effect: NoSchedule}/' | kubectl replace -f -
