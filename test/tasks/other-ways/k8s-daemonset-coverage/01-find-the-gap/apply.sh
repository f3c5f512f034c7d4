kubectl get daemonsets --all-namespaces -o json >daemonsets.json
gap=$(kubectl get nodes --show-labels | awk '/pool=gpu/ {print $1}')
kubectl apply -f - <<YAML
apiVersion: v1
kind: ConfigMap
metadata: {name: finding}
data: {node: $gap}
YAML
