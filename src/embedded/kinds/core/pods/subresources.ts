import type { V1Container, V1EphemeralContainer, V1Pod, V1ResourceRequirements } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../../api/field-error.ts";
import { copy, equal, type Wire } from "../../../api/object.ts";
import type { SubresourceStrategy } from "../../../registry/strategy.ts";
import type { Kind } from "../../define.ts";
import { nextGeneration } from "../../fields/generation.ts";
import { qosClass } from "../../pod-spec/qos.ts";

type Pod = Kind<V1Pod>;
type Container = Wire<V1Container>;
type List = Record<string, string>;

const mirror = "kubernetes.io/config.mirror";

/** Adds debugging containers to a Pod that runs; nothing else changes (`kubectl debug`). */
export const ephemeralContainers: SubresourceStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    const added = pod.spec?.ephemeralContainers;
    pod.spec = copy(old.spec!);
    if (added !== undefined) pod.spec.ephemeralContainers = added;
    nextGeneration(pod, old);
  },
  validateUpdate(pod, old) {
    if (old.metadata.annotations?.[mirror] !== undefined) {
      return [fieldError.forbidden("", "static pods do not support ephemeral containers")];
    }
    const now = pod.spec?.ephemeralContainers ?? [];
    return (old.spec?.ephemeralContainers ?? []).flatMap((before) => validateKept(before, now));
  },
};

function validateKept(before: Wire<V1EphemeralContainer>, now: readonly Wire<V1EphemeralContainer>[]): FieldError[] {
  const at = "spec.ephemeralContainers";
  const same = now.find((container) => container.name === before.name);
  const what = `existing ephemeral containers ${JSON.stringify(before.name)} may not be`;
  if (same === undefined) return [fieldError.forbidden(at, `${what} removed\n`)];
  return equal(same, before) ? [] : [fieldError.forbidden(at, `${what} changed\n`)];
}

/** Gives a running Pod's containers other CPU and memory (https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/). */
export const resize: SubresourceStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    const spec = copy(old.spec!);
    const containers = resized(pod.spec?.containers, spec.containers);
    const initContainers = resized(pod.spec?.initContainers, spec.initContainers ?? []);
    if (containers === undefined || initContainers === undefined) return nextGeneration(pod, old);
    pod.spec = { ...spec, containers, ...(initContainers.length > 0 ? { initContainers } : {}) };
    nextGeneration(pod, old);
  },
  validateUpdate(pod, old) {
    if (old.metadata.annotations?.[mirror] !== undefined) {
      return [fieldError.forbidden("", "static pods cannot be resized")];
    }
    const errors: FieldError[] = [];
    if ((old.status?.qosClass ?? qosClass(old.spec!)) !== qosClass(pod.spec!)) {
      const why = "Pod QOS Class may not change as a result of resizing";
      errors.push(fieldError.invalid("spec", old.status?.qosClass ?? "", why));
    }
    for (const field of ["containers", "initContainers"] as const) {
      errors.push(...validateResized(pod.spec?.[field] ?? [], old.spec?.[field] ?? [], field));
    }
    return errors;
  },
};

/** The containers as they were, with the new amounts; undefined when they are not the same containers. */
function resized(now: Container[] | undefined, old: Container[]): Container[] | undefined {
  if ((now ?? []).length !== old.length) return undefined;
  if (old.some((container, i) => container.name !== now![i]!.name)) return undefined;
  return old.map((container, i) => {
    const { resources, resizePolicy } = now![i]!;
    const next = { ...container };
    if (resources !== undefined) next.resources = resources;
    if (resizePolicy !== undefined) next.resizePolicy = resizePolicy;
    return next;
  });
}

function validateResized(now: readonly Container[], old: readonly Container[], field: string): FieldError[] {
  const at = `spec.${field}`;
  if (now.length !== old.length) return [fieldError.forbidden(at, `${field} may not be added or removed on resize`)];
  return old.flatMap((before, i) => {
    const container = now[i]!;
    if (container.name !== before.name) {
      return [fieldError.forbidden(`${at}[${i}].name`, `${field} may not be renamed or reordered on resize`)];
    }
    return [
      ...validateNotRemoved(container.resources, before.resources, `${at}[${i}].resources`),
      ...(equal(others(container.resources), others(before.resources))
        ? []
        : [fieldError.forbidden("spec", "only cpu and memory resources are mutable")]),
    ];
  });
}

type Requirements = Wire<V1ResourceRequirements> | undefined;

function validateNotRemoved(now: Requirements, old: Requirements, at: string): FieldError[] {
  return (["limits", "requests"] as const).flatMap((kind) => {
    const has = (now?.[kind] ?? {}) as List;
    const removed = Object.keys((old?.[kind] ?? {}) as List).some((name) => has[name] === undefined);
    return removed ? [fieldError.forbidden(`${at}.${kind}`, `resource ${kind} cannot be removed`)] : [];
  });
}

/** What of a container's resources is neither CPU nor memory. */
function others(resources: Requirements) {
  const rest = (list: unknown) =>
    Object.fromEntries(Object.entries((list ?? {}) as List).filter(([name]) => name !== "cpu" && name !== "memory"));
  return { limits: rest(resources?.limits), requests: rest(resources?.requests), claims: resources?.claims ?? [] };
}
