# rejected by: stopped
kubectl set image daemonset/agent agent=busybox:1.36-does-not-exist; sleep 0.5; kubectl delete pods -l app=agent
