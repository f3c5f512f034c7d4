NODE=$(kubectl get pods -l app=agent -o jsonpath='{.items[0].spec.nodeName}')
kubectl get deployment/web daemonset/agent -o yaml | sed "s|^      spec:|      spec:\n        nodeSelector: {kubernetes.io/hostname: $NODE}|" | kubectl apply -f -
