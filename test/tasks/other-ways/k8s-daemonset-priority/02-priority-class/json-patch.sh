kubectl create priorityclass node-agents --value=1000000 --description="Agents that every node needs"
kubectl patch daemonset log-agent --type json -p '[{"op":"add","path":"/spec/template/spec/priorityClassName","value":"node-agents"}]'
