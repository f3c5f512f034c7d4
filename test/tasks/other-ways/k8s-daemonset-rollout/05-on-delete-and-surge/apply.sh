kubectl get daemonset agent -o yaml >agent.yaml
sed -i -e 's/value: debug/value: warn/' -e 's/type: RollingUpdate/type: OnDelete/' agent.yaml
kubectl apply -f agent.yaml
kubectl delete "$(kubectl get pods -l app=agent -o name | head -1)"
sed -i -e 's/type: OnDelete/type: RollingUpdate/' -e 's/maxUnavailable: 2/maxUnavailable: 0/' -e 's/maxSurge: 0/maxSurge: 2/' -e '/^  resourceVersion:/d' agent.yaml
kubectl apply -f agent.yaml
