export { type Call, KubeClient, userAgent } from "./client.ts";
export { type Credentials, readCredentials } from "./kubeconfig.ts";
export { isNotFound, StatusError } from "./status-error.ts";
export { type WatchEvent, watch } from "./watch.ts";
export { kubeconfigFor } from "./write-kubeconfig.ts";
