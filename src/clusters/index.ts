export type { ContextUse } from "./context/provider.ts";
export { explainRefusal } from "./context/refusals.ts";
export { type KubectlTarget, kubectlTarget, pointKubectl, restoreKubectl } from "./kubeconfig/point.ts";
export { type ClusterSelection, type SelectOptions, selectCluster } from "./select.ts";
