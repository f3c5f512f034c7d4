const events = "create,patch,update core,events events";

/**
 * Rules of `system:controller:NAME`, bound to the ServiceAccount NAME in kube-system: each controller of the controller
 * manager acts with its own (rule-text.ts).
 */
export const controllerRoles: Record<string, string> = {
  "attachdetach-controller": `
    list,watch core persistentvolumeclaims,persistentvolumes
    read core nodes
    patch,update core nodes/status
    list,watch core pods
    ${events}
    create,delete,read storage volumeattachments
    read storage csidrivers
    read storage csinodes`,
  "certificate-controller": `
    delete,read certificates certificatesigningrequests
    update certificates certificatesigningrequests/approval,certificatesigningrequests/status
    approve certificates signers kubernetes.io/kube-apiserver-client-kubelet
    sign certificates signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown
    create authorization subjectaccessreviews
    ${events}`,
  "clusterrole-aggregation-controller": `
    escalate,read,patch,update rbac.authorization clusterroles`,
  "cronjob-controller": `
    read,update batch cronjobs
    create,delete,read,patch,update batch jobs
    update batch cronjobs/status
    update batch cronjobs/finalizers
    delete,list core pods
    ${events}`,
  "daemon-set-controller": `
    read apps,extensions daemonsets
    update apps,extensions daemonsets/status
    update apps,extensions daemonsets/finalizers
    list,watch core nodes
    create,delete,list,patch,watch core pods
    create core pods/binding
    create,delete,read,patch,update apps controllerrevisions
    ${events}`,
  "deployment-controller": `
    read,update apps,extensions deployments
    update apps,extensions deployments/status
    update apps,extensions deployments/finalizers
    create,delete,read,patch,update apps,extensions replicasets
    read,update core pods
    ${events}`,
  "disruption-controller": `
    read apps,extensions deployments
    read apps,extensions replicasets
    read core replicationcontrollers
    read policy poddisruptionbudgets
    read apps statefulsets
    update policy poddisruptionbudgets/status
    patch,update core pods/status
    get * */scale
    ${events}`,
  "endpoint-controller": `
    read core pods,services
    create,delete,get,list,update core endpoints
    create core endpoints/restricted
    ${events}`,
  "endpointslice-controller": `
    read core nodes,pods,services
    update core services/finalizers
    create,delete,get,list,update discovery endpointslices
    ${events}`,
  "endpointslicemirroring-controller": `
    read core endpoints,services
    update core services/finalizers
    update core endpoints/finalizers
    create,delete,get,list,update discovery endpointslices
    ${events}`,
  "ephemeral-volume-controller": `
    read core pods
    update core pods/finalizers
    create,read core persistentvolumeclaims
    ${events}`,
  "expand-controller": `
    read,patch,update core persistentvolumes
    patch,update core persistentvolumeclaims/status
    read core persistentvolumeclaims
    read storage storageclasses
    get core endpoints,services
    get core secrets
    ${events}`,
  "generic-garbage-collector": `
    delete,read,patch,update * *
    ${events}`,
  "horizontal-pod-autoscaler": `
    read autoscaling horizontalpodautoscalers
    update autoscaling horizontalpodautoscalers/status
    get,update * */scale
    list core pods
    list metrics pods
    get,list custom.metrics *
    get,list external.metrics *
    ${events}`,
  "job-controller": `
    read,patch,update batch jobs
    update batch jobs/status
    update batch jobs/finalizers
    create,delete,list,patch,watch core pods
    ${events}`,
  "legacy-service-account-token-cleaner": `
    get core configmaps kube-apiserver-legacy-service-account-token-tracking
    delete,patch core secrets`,
  "namespace-controller": `
    delete,read core namespaces
    update core namespaces/finalize,namespaces/status
    delete,deletecollection,get,list * *`,
  "node-controller": `
    delete,get,list,patch,update core nodes
    patch,update core nodes/status
    patch,update core pods/status
    delete,get,list core pods
    ${events}`,
  "persistent-volume-binder": `
    create,delete,read,update core persistentvolumes
    update core persistentvolumes/status
    read,update core persistentvolumeclaims
    update core persistentvolumeclaims/status
    create,delete,read core pods
    read storage storageclasses
    create,delete,get,update core endpoints
    create,delete,get core services
    get core secrets
    get,list core nodes
    watch core events
    ${events}`,
  "pod-garbage-collector": `
    delete,list,watch core pods
    get,list core nodes
    patch core pods/status`,
  "pv-protection-controller": `
    read,update core persistentvolumes
    ${events}`,
  "pvc-protection-controller": `
    read,update core persistentvolumeclaims
    read core pods
    ${events}`,
  "replicaset-controller": `
    read,update apps,extensions replicasets
    update apps,extensions replicasets/status
    update apps,extensions replicasets/finalizers
    create,delete,list,patch,watch core pods
    ${events}`,
  "replication-controller": `
    read,update core replicationcontrollers
    update core replicationcontrollers/status
    update core replicationcontrollers/finalizers
    create,delete,list,patch,watch core pods
    ${events}`,
  "resource-claim-controller": `
    read core pods
    update core pods/finalizers
    create,delete,read resource resourceclaims
    patch,update resource resourceclaims,resourceclaims/status
    patch,update core pods/status
    ${events}`,
  "resourcequota-controller": `
    list,watch * *
    update core resourcequotas/status
    ${events}`,
  "root-ca-cert-publisher": `
    create,update core configmaps
    ${events}`,
  "route-controller": `
    list,watch core nodes
    patch core nodes/status
    ${events}`,
  "selinux-warning-controller": `
    read core persistentvolumeclaims,persistentvolumes,pods
    read storage csidrivers
    ${events}`,
  "service-account-controller": `
    create core serviceaccounts
    ${events}`,
  "service-cidrs-controller": `
    read,patch,update networking servicecidrs
    patch,update networking servicecidrs/finalizers
    patch,update networking servicecidrs/status
    read networking ipaddresses
    ${events}`,
  "service-controller": `
    read core services
    patch,update core services/status
    list,watch core nodes
    ${events}`,
  "statefulset-controller": `
    list,watch core pods
    read apps statefulsets
    update apps statefulsets/status
    update apps statefulsets/finalizers
    create,delete,get,patch,update core pods
    create,delete,read,patch,update apps controllerrevisions
    create,get core persistentvolumeclaims
    delete,update core persistentvolumeclaims
    ${events}`,
  "ttl-after-finished-controller": `
    delete,read batch jobs
    ${events}`,
  "ttl-controller": `
    list,patch,update,watch core nodes
    ${events}`,
  "validatingadmissionpolicy-status-controller": `
    read admissionregistration validatingadmissionpolicies
    get,patch,update admissionregistration validatingadmissionpolicies/status
    ${events}`,
  "volumeattributesclass-protection-controller": `
    read core persistentvolumeclaims
    read core persistentvolumes
    read,update storage volumeattributesclasses
    ${events}`,
};
