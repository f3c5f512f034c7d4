import type { KindStrategy } from "../registry/strategy.ts";
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
} from "./admissionregistration/strategy.ts";
import { customResourceDefinitions } from "./apiextensions/customresourcedefinitions/strategy.ts";
import { apiServices } from "./apiregistration/strategy.ts";
import { controllerRevisions } from "./apps/controllerrevisions/strategy.ts";
import { daemonSets } from "./apps/daemonsets/strategy.ts";
import { deployments } from "./apps/deployments/strategy.ts";
import { replicaSets } from "./apps/replicasets/strategy.ts";
import { statefulSets } from "./apps/statefulsets/strategy.ts";
import { horizontalPodAutoscalers } from "./autoscaling/horizontalpodautoscalers/strategy.ts";
import { cronJobs } from "./batch/cronjobs/strategy.ts";
import { jobs } from "./batch/jobs/strategy.ts";
import { certificateSigningRequests } from "./certificates/strategy.ts";
import { leases } from "./coordination/leases/strategy.ts";
import { configMaps } from "./core/configmaps/strategy.ts";
import { endpoints } from "./core/endpoints/strategy.ts";
import { events, eventsV1 } from "./core/events/strategy.ts";
import { limitRanges } from "./core/limitranges/strategy.ts";
import { namespaces } from "./core/namespaces/strategy.ts";
import { nodes } from "./core/nodes/strategy.ts";
import { persistentVolumeClaims } from "./core/persistentvolumeclaims/strategy.ts";
import { persistentVolumes } from "./core/persistentvolumes/strategy.ts";
import { pods } from "./core/pods/strategy.ts";
import { podTemplates } from "./core/podtemplates/strategy.ts";
import { replicationControllers } from "./core/replicationcontrollers/strategy.ts";
import { resourceQuotas } from "./core/resourcequotas/strategy.ts";
import { secrets } from "./core/secrets/strategy.ts";
import { serviceAccounts } from "./core/serviceaccounts/strategy.ts";
import { services } from "./core/services/strategy.ts";
import { endpointSlices } from "./discovery/endpointslices/strategy.ts";
import { flowSchemas, priorityLevelConfigurations } from "./flowcontrol/strategy.ts";
import { ingressClasses } from "./networking/ingressclasses/strategy.ts";
import { ingresses } from "./networking/ingresses/strategy.ts";
import { networkPolicies } from "./networking/networkpolicies/strategy.ts";
import { ipAddresses, serviceCidrs } from "./networking/strategy.ts";
import { runtimeClasses } from "./node/strategy.ts";
import { podDisruptionBudgets } from "./policy/poddisruptionbudgets/strategy.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "./rbac/strategy.ts";
import { deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices } from "./resource/strategy.ts";
import { priorityClasses } from "./scheduling/priorityclasses/strategy.ts";
import { storageClasses } from "./storage/storageclasses/strategy.ts";
import {
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  volumeAttachments,
  volumeAttributesClasses,
} from "./storage/strategy.ts";

/** Every kind that needs more than its schema; a kind that is not here is served by schema and Table columns alone. */
export const strategies: readonly KindStrategy[] = [
  configMaps,
  controllerRevisions,
  daemonSets,
  events,
  namespaces,
  nodes,
  pods,
  secrets,
  serviceAccounts,
  deployments,
  replicaSets,
  statefulSets,
  replicationControllers,
  jobs,
  cronJobs,
  services,
  endpoints,
  endpointSlices,
  podDisruptionBudgets,
  priorityClasses,
  horizontalPodAutoscalers,
  ingresses,
  ingressClasses,
  networkPolicies,
  persistentVolumes,
  persistentVolumeClaims,
  storageClasses,
  resourceQuotas,
  limitRanges,
  podTemplates,
  leases,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  volumeAttachments,
  volumeAttributesClasses,
  ipAddresses,
  serviceCidrs,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  customResourceDefinitions,
  apiServices,
  certificateSigningRequests,
  flowSchemas,
  priorityLevelConfigurations,
  runtimeClasses,
  resourceClaims,
  resourceClaimTemplates,
  deviceClasses,
  resourceSlices,
  eventsV1,
];
