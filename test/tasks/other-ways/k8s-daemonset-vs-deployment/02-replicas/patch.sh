kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl patch deployment web -p '{"spec":{"replicas":5}}'; kubectl patch daemonset agent -p '{"spec":{"replicas":5}}'
