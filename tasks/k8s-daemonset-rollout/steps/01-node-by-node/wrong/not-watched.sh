# rejected by: watched
kubectl set env daemonset/agent LEVEL=info
