kubectl get pods -l app=agent --no-headers -o custom-columns=POD:.metadata.name,NODE:.spec.nodeName | sed 's/^/    /' >table
{ printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: coverage}\ndata:\n  table: |\n'; cat table; } | kubectl apply --server-side -f -
