# rejected by: relabelled
kubectl label node --all fleet=canary --overwrite
