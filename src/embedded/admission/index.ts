import type { AdmissionPlugin } from "../registry/core.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { priority } from "./priority.ts";
import { serviceAccount } from "./service-account.ts";

/** In the order the API server runs them. */
export function admissionPlugins(): AdmissionPlugin[] {
  return [namespaceLifecycle, serviceAccount, priority, defaultTolerationSeconds];
}
