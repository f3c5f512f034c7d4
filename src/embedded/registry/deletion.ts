import { apiError } from "../api/api-error.ts";
import { rfc3339 } from "../api/clock.ts";
import { copy, type KubeObject } from "../api/object.ts";
import type { DeleteOptions, RequestContext, Target } from "./api.ts";
import { fromStorage } from "./conversion.ts";
import type { RegistryCore } from "./core.ts";
import type { ResourceDefinition } from "./resource-catalogue.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

/**
 * Deletes an object, or begins to: a grace period or a finalizer leaves it there with a deletionTimestamp
 * (https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/).
 *
 * @param live the stored object, in its stored form
 */
export function deleteObject(
  core: RegistryCore,
  definition: ResourceDefinition,
  target: Target,
  live: KubeObject,
  options: DeleteOptions,
  context: RequestContext,
): { object: KubeObject; deleted: boolean } {
  const { info, storage, strategy } = definition;
  const meta = live.metadata;
  const { uid, resourceVersion } = options.preconditions ?? {};
  const failed = (what: string, wanted: string, is: string | undefined) =>
    apiError.conflict(
      info,
      meta.name!,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${is}`,
    );
  if (uid !== undefined && uid !== meta.uid) throw failed("UID", uid, meta.uid);
  if (resourceVersion !== undefined && resourceVersion !== meta.resourceVersion) {
    throw failed("ResourceVersion", resourceVersion, meta.resourceVersion);
  }
  for (const plugin of core.admission) {
    plugin.validate?.({ operation: "DELETE", definition, target, object: undefined, old: live, context }, core);
  }

  const next = copy(live);
  const policy =
    options.propagationPolicy ?? begunPolicy(meta.finalizers) ?? strategy?.defaultPropagation ?? "Background";
  const finalizers = (meta.finalizers ?? []).filter((f) => f !== foreground && f !== orphan);
  if (policy === "Foreground") finalizers.push(foreground);
  if (policy === "Orphan") finalizers.push(orphan);
  if (finalizers.length > 0) next.metadata.finalizers = finalizers;
  else delete next.metadata.finalizers;

  const requested = options.gracePeriodSeconds;
  const grace = strategy?.gracePeriod?.(live, requested) ?? 0;
  const isNamespace = storage.group === "" && storage.resource === "namespaces";
  const held = finalizers.length > 0 || (isNamespace && hasSpecFinalizers(live));
  const now = core.clock.now();
  const begun = meta.deletionTimestamp !== undefined;

  if (grace > 0 || held) {
    if (!begun) {
      next.metadata.deletionTimestamp = rfc3339(now + grace * 1000) as never;
      next.metadata.deletionGracePeriodSeconds = grace;
      if (next.metadata.generation !== undefined) next.metadata.generation += 1;
      if (isNamespace) (next["status"] as { phase?: string }).phase = "Terminating";
    } else if (grace < (meta.deletionGracePeriodSeconds ?? 0)) {
      next.metadata.deletionTimestamp = rfc3339(
        Date.parse(String(meta.deletionTimestamp)) - ((meta.deletionGracePeriodSeconds ?? 0) - grace) * 1000,
      ) as never;
      next.metadata.deletionGracePeriodSeconds = grace;
    }
    if (context.dryRun) return { object: fromStorage(definition, next), deleted: false };
    const same = begun && JSON.stringify(next) === JSON.stringify(live);
    return { object: fromStorage(definition, same ? live : core.store.put(storage, next)), deleted: false };
  }
  if (context.dryRun) return { object: fromStorage(definition, live), deleted: true };
  const last = core.store.remove(storage, meta.namespace ?? "", meta.name!);
  return { object: fromStorage(definition, last ?? live), deleted: true };
}

/** Who deletes again without saying how leaves it as it was begun. */
function begunPolicy(finalizers: readonly string[] = []): DeleteOptions["propagationPolicy"] {
  const first = finalizers.find((f) => f === foreground || f === orphan);
  if (first === undefined) return undefined;
  return first === foreground ? "Foreground" : "Orphan";
}

function hasSpecFinalizers(namespace: KubeObject): boolean {
  const spec = namespace["spec"] as { finalizers?: string[] } | undefined;
  return (spec?.finalizers?.length ?? 0) > 0;
}
