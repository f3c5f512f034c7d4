# rejected by: finding
kubectl get ds -A -o custom-columns=NAME:.metadata.name,DESIRED:.status.desiredNumberScheduled,READY:.status.numberReady
kubectl get nodes -L pool
kubectl create configmap finding --from-literal=node=gpu
