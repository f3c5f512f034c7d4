# rejected by: looked-first
kubectl get daemonset node-agent-canary
kubectl get nodes -L fleet
kubectl apply --server-side --force-conflicts --field-manager=promote -f - <<'E'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-agent}
spec: {template: {spec: {containers: [{name: agent, image: "busybox:1.37"}]}}}
E
