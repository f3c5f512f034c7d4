# rejected by: more-than-nodes
kubectl patch deployment web -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":null}}}}'
kubectl scale daemonset/agent --replicas=4; kubectl scale deployment/web --replicas=4 --dry-run=server
