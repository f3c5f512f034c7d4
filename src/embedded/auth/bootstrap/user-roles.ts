/** Rules of the roles for people, as a cluster has them from the start (rule-text.ts tells how to read them). */
export const userRoles: Record<string, string> = {
  "cluster-admin": `
    * * *
    * *`,
  "system:aggregate-to-admin": `
    create authorization localsubjectaccessreviews
    read,write rbac.authorization rolebindings,roles`,
  "system:aggregate-to-edit": `
    read core pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy
    impersonate core serviceaccounts
    write core pods,pods/attach,pods/exec,pods/portforward,pods/proxy
    create core pods/eviction
    write core configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy
    create core serviceaccounts/token
    write apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale
    write autoscaling horizontalpodautoscalers
    write batch cronjobs,jobs
    write extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale
    write policy poddisruptionbudgets
    write networking ingresses,networkpolicies
    read,write coordination leases`,
  "system:aggregate-to-view": `
    read core configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status
    read core bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status
    read core namespaces
    read discovery endpointslices
    read apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status
    read autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status
    read batch cronjobs,cronjobs/status,jobs,jobs/status
    read extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale
    read policy poddisruptionbudgets,poddisruptionbudgets/status
    read networking ingresses,ingresses/status,networkpolicies`,
  "system:auth-delegator": `
    create authentication tokenreviews
    create authorization subjectaccessreviews`,
  "system:basic-user": `
    create authorization selfsubjectaccessreviews,selfsubjectrulesreviews
    create authentication selfsubjectreviews`,
  "system:discovery": `
    get /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/`,
  "system:public-info-viewer": `
    get /healthz,/livez,/readyz,/version,/version/`,
  "system:monitoring": `
    get /healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*`,
  "system:service-account-issuer-discovery": `
    get /.well-known/openid-configuration,/openid/v1/jwks`,
  "system:certificates.k8s.io:certificatesigningrequests:nodeclient": `
    create certificates certificatesigningrequests/nodeclient`,
  "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient": `
    create certificates certificatesigningrequests/selfnodeclient`,
  "system:certificates.k8s.io:kube-apiserver-client-approver": `
    approve certificates signers kubernetes.io/kube-apiserver-client`,
  "system:certificates.k8s.io:kube-apiserver-client-kubelet-approver": `
    approve certificates signers kubernetes.io/kube-apiserver-client-kubelet`,
  "system:certificates.k8s.io:kubelet-serving-approver": `
    approve certificates signers kubernetes.io/kubelet-serving`,
  "system:certificates.k8s.io:legacy-unknown-approver": `
    approve certificates signers kubernetes.io/legacy-unknown`,
};

/** Roles whose rules are those of all roles with the label `rbac.authorization.k8s.io/aggregate-to-ROLE`. */
export const aggregatedRoles = ["admin", "edit", "view"];

/** Which aggregated role takes in a role. */
export const aggregatesTo: Record<string, string> = {
  edit: "admin",
  view: "edit",
  "system:aggregate-to-admin": "admin",
  "system:aggregate-to-edit": "edit",
  "system:aggregate-to-view": "view",
};
