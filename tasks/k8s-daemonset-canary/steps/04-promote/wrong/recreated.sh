# rejected by: old-version-kept
kubectl get daemonset -o wide
kubectl get daemonset node-agent -o yaml | sed -e 's/busybox:1.36/busybox:1.37/' -e '/uid:/d' -e '/resourceVersion:/d' > new.yaml
kubectl delete daemonset node-agent
kubectl create -f new.yaml
