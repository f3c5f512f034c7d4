# rejected by: old-version-kept
kubectl get daemonset -o wide
kubectl patch daemonset node-agent -p '{"spec":{"revisionHistoryLimit":0}}'
kubectl set image daemonset/node-agent agent=busybox:1.37
