import type { AdmissionPlugin } from "../registry/core.ts";
import { claimResize } from "./claim-resize.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { defaultStorageClass } from "./default-storage-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { limitRanger } from "./limit-ranger.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { podSecurity } from "./pod-security/pod-security.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use.ts";

/** In the order the API server runs them. */
export function admissionPlugins(): AdmissionPlugin[] {
  return [
    namespaceLifecycle,
    limitRanger,
    serviceAccount,
    podSecurity,
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    storageObjectInUseProtection,
    claimResize,
    runtimeClass,
    defaultIngressClass,
    resourceQuota,
  ];
}
