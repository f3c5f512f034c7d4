for workload in deployment/web daemonset/agent; do
  kubectl patch "$workload" --type=json -p '[{"op":"add","path":"/spec/template/spec/nodeSelector","value":{"no-such":"node"}}]'
done
