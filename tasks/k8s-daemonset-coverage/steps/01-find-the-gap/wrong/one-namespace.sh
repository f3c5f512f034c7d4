# rejected by: compared
kubectl get ds; kubectl get nodes -L pool; kubectl create configmap finding --from-literal=node="$(kubectl get nodes -l pool=gpu -o jsonpath='{.items[0].metadata.name}')"
