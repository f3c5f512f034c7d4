# rejected by: taint-kept
kubectl label nodes -l pool=gpu pool=general --overwrite
