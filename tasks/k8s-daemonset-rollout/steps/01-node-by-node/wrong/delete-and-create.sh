# rejected by: same-object
kubectl get daemonset agent -o yaml >agent.yaml
kubectl delete daemonset agent
sed -i 's/^      - command:/      - env: [{name: LEVEL, value: info}]\n        command:/' agent.yaml
kubectl create -f agent.yaml; kubectl rollout status daemonset/agent --timeout=20s
