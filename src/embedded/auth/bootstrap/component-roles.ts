/** Rules of the roles for the parts of a cluster outside the controller manager (rule-text.ts). */
export const componentRoles: Record<string, string> = {
  "system:heapster": `
    read core events,namespaces,nodes,pods
    read extensions deployments`,
  "system:kube-aggregator": `
    read core endpoints,services`,
  "system:kube-controller-manager": `
    create,patch,update core,events events
    create coordination leases
    get,update coordination leases kube-controller-manager
    create core secrets,serviceaccounts
    delete core secrets
    get core configmaps,namespaces,secrets,serviceaccounts
    update core secrets,serviceaccounts
    create authentication tokenreviews
    create authorization subjectaccessreviews
    list,watch * *
    create core serviceaccounts/token`,
  "system:kube-dns": `
    list,watch core endpoints,services`,
  "system:kube-scheduler": `
    create,patch,update core,events events
    create coordination leases
    get,update coordination leases kube-scheduler
    read core nodes
    delete,read core pods
    create core bindings,pods/binding
    patch,update core pods/status
    read core replicationcontrollers,services
    read apps,extensions replicasets
    read apps statefulsets
    read policy poddisruptionbudgets
    read core persistentvolumeclaims,persistentvolumes
    create authentication tokenreviews
    create authorization subjectaccessreviews
    read storage csinodes
    read core namespaces
    read storage csidrivers
    read storage csistoragecapacities`,
  "system:kubelet-api-admin": `
    read core nodes
    proxy core nodes
    * core nodes/log,nodes/metrics,nodes/proxy,nodes/stats`,
  "system:node": `
    create authentication tokenreviews
    create authorization localsubjectaccessreviews,subjectaccessreviews
    read core services
    create,read core nodes
    patch,update core nodes/status
    patch,update core nodes
    create,patch,update core events
    read core pods
    create,delete core pods
    patch,update core pods/status
    create core pods/eviction
    read core configmaps,secrets
    get core persistentvolumeclaims,persistentvolumes
    get core endpoints
    create,read certificates certificatesigningrequests
    create,delete,get,patch,update coordination leases
    get storage volumeattachments
    create core serviceaccounts/token
    get,patch,update core persistentvolumeclaims/status
    read storage csidrivers
    create,delete,get,patch,update storage csinodes
    read node runtimeclasses`,
  "system:node-bootstrapper": `
    create,read certificates certificatesigningrequests`,
  "system:node-problem-detector": `
    get core nodes
    patch core nodes/status
    create,patch,update core,events events`,
  "system:node-proxier": `
    list,watch core endpoints,services
    read core nodes
    create,patch,update core,events events
    list,watch discovery endpointslices
    list,watch networking servicecidrs`,
  "system:persistent-volume-provisioner": `
    create,delete,read core persistentvolumes
    read,update core persistentvolumeclaims
    read storage storageclasses
    watch core events
    create,patch,update core,events events`,
  "system:volume-scheduler": `
    read,patch,update core persistentvolumes
    read storage storageclasses
    read,patch,update core persistentvolumeclaims`,
};
