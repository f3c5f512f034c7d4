kubectl get daemonset agent -o yaml | sed 's/image: busybox:1.36/image: busybox:1.36-does-not-exist/' | kubectl replace -f -
