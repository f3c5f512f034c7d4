# rejected by: one-fleet-each
kubectl get daemonset node-agent -o yaml | sed -e 's/name: node-agent$/name: node-agent-canary/' -e 's/fleet: stable/fleet: canary/' -e 's/busybox:1.36/busybox:1.37/' -e '/nodeSelector:/,+1d' -e '/uid:/d' -e '/resourceVersion:/d' | kubectl create -f -
