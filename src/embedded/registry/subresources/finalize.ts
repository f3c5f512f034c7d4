import { apiError } from "../../api/api-error.ts";
import type { KubeObject } from "../../api/object.ts";
import type { RequestContext } from "../api.ts";
import type { RegistryCore } from "../core.ts";

const namespaces = { group: "", resource: "namespaces" };

/**
 * namespaces/finalize: only spec.finalizers change. A namespace that is being deleted and that nothing holds any longer
 * is gone with it (https://kubernetes.io/docs/tasks/administer-cluster/namespaces/).
 *
 * @throws ApiError 409 when the body is of another version or of another namespace of that name
 */
export function finalizeNamespace(
  core: RegistryCore,
  live: KubeObject,
  body: KubeObject,
  context: RequestContext,
): KubeObject {
  const { resourceVersion, uid } = body.metadata;
  const name = live.metadata.name!;
  if (uid && uid !== live.metadata.uid) {
    throw apiError.conflict(
      namespaces,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
    );
  }
  if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) {
    throw apiError.conflict(
      namespaces,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  const finalizers = (body["spec"] as { finalizers?: string[] } | undefined)?.finalizers;
  const { finalizers: _, ...spec } = (live["spec"] ?? {}) as { finalizers?: string[] };
  const next = { ...live, spec: finalizers?.length ? { ...spec, finalizers } : spec };
  if (context.dryRun) return next;
  const { deletionTimestamp, finalizers: holding } = live.metadata;
  const isFree = deletionTimestamp !== undefined && !finalizers?.length && !holding?.length;
  if (isFree) return core.store.remove(namespaces, "", name) ?? next;
  return core.store.put(namespaces, next);
}
