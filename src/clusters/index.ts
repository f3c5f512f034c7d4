export { type ClusterSelection, type SelectOptions, selectCluster } from "./select.ts";
