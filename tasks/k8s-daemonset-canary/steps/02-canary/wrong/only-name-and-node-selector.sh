# rejected by: second-daemonset
kubectl get daemonset node-agent -o yaml | sed -e 's/name: node-agent$/name: node-agent-canary/' -e 's/^        fleet: stable$/&/' -e 's/busybox:1.36/busybox:1.37/' -e '/uid:/d' -e '/resourceVersion:/d' | kubectl create -f -
kubectl patch daemonset node-agent-canary -p '{"spec":{"template":{"spec":{"nodeSelector":{"fleet":"canary"}}}}}'
