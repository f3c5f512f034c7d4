# rejected by: taint-kept
kubectl taint nodes -l pool=gpu dedicated-
