import type { GroupResource } from "../../api/resource.ts";

/** The resources controllers watch, by their usual names. */
export const pods: GroupResource = { group: "", resource: "pods" };
export const nodes: GroupResource = { group: "", resource: "nodes" };
export const namespaces: GroupResource = { group: "", resource: "namespaces" };
export const serviceAccounts: GroupResource = { group: "", resource: "serviceaccounts" };
export const configMaps: GroupResource = { group: "", resource: "configmaps" };
export const secrets: GroupResource = { group: "", resource: "secrets" };
export const services: GroupResource = { group: "", resource: "services" };
export const endpoints: GroupResource = { group: "", resource: "endpoints" };
export const persistentVolumes: GroupResource = { group: "", resource: "persistentvolumes" };
export const persistentVolumeClaims: GroupResource = { group: "", resource: "persistentvolumeclaims" };
export const endpointSlices: GroupResource = { group: "discovery.k8s.io", resource: "endpointslices" };
export const leases: GroupResource = { group: "coordination.k8s.io", resource: "leases" };
export const podDisruptionBudgets: GroupResource = { group: "policy", resource: "poddisruptionbudgets" };
export const storageClasses: GroupResource = { group: "storage.k8s.io", resource: "storageclasses" };
