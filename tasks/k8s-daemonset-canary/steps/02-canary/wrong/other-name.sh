# rejected by: second-daemonset
kubectl get daemonset node-agent -o yaml | sed -e 's/name: node-agent$/name: canary/' -e 's/fleet: stable/fleet: canary/' -e 's/busybox:1.36/busybox:1.37/' -e '/uid:/d' -e '/resourceVersion:/d' | kubectl create -f -
