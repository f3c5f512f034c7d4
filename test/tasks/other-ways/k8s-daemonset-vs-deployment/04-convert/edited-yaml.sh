kubectl get deployment log-shipper -o yaml >shipper.yaml
sed -i -e 's/^kind: Deployment/kind: DaemonSet/' -e '/^  replicas:/d' -e '/^  progressDeadlineSeconds:/d' -e '/^  strategy:/,/^    type:/d' -e '/^status:/,$d' \
  -e '/^  uid:/d' -e '/^  resourceVersion:/d' -e '/^  creationTimestamp:/d' -e '/^  generation:/d' shipper.yaml
kubectl delete deployment log-shipper
kubectl create -f shipper.yaml
