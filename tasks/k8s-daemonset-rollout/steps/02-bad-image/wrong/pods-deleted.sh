# rejected by: stopped
kubectl set image daemonset/agent agent=busybox:1.36-does-not-exist; kubectl delete pods -l app=agent
