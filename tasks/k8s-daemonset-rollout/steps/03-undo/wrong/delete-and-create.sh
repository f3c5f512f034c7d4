# rejected by: same-object
kubectl get daemonset agent -o yaml | sed 's/busybox:1.36-does-not-exist/busybox:1.36/' >agent.yaml; kubectl delete daemonset agent; kubectl create -f agent.yaml; kubectl rollout status daemonset/agent --timeout=20s
