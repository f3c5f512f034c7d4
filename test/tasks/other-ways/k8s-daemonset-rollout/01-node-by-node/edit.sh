EDITOR="sed -i 's/^      - command:/      - env: [{name: LEVEL, value: info}]\n        command:/'" kubectl edit daemonset agent
kubectl rollout status daemonset/agent --timeout=20s
