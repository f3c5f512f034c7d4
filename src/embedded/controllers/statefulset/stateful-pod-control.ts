import { ApiError } from "../../api/api-error.ts";
import { copy } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";
import { createMissingClaims, hasStaleClaim, retainClaims } from "./claims.ts";
import {
  identityLabels,
  identityMatches,
  isInRange,
  ordinalOf,
  type StatefulSet,
  storageMatches,
  withClaims,
} from "./stateful-pod.ts";

const component = "statefulset-controller";

/** Makes, mends and deletes the Pods of StatefulSets, with the events that tell of it. */
export class StatefulPodControl {
  constructor(private readonly context: ControllerContext) {}

  /** True where a claim of an earlier Pod of this name is still on its way out. */
  mustWaitForClaims(set: StatefulSet, pod: Pod): boolean {
    return hasStaleClaim(this.context, set, ordinalOf(pod));
  }

  /** Makes the Pod's claims, then the Pod. @throws what the API server answers */
  create(set: StatefulSet, pod: Pod): void {
    const { api, as } = this.context;
    try {
      this.createClaims(set, pod);
      api.create({ ...pods, namespace: set.metadata.namespace }, pod, { ...as, warnings: [] });
    } catch (error) {
      if (error instanceof ApiError && error.reason === "AlreadyExists") throw error;
      if (error instanceof ApiError && isTerminatingNamespace(error)) throw error;
      this.record("Create", set, pod, error);
      throw error;
    }
    this.retain(set, pod);
    this.record("Create", set, pod);
  }

  /** @throws Error when a claim could not be made */
  createClaims(set: StatefulSet, pod: Pod): void {
    createMissingClaims(this.context, set, ordinalOf(pod), (claim, error) => {
      const where = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
      const [type, reason, message] = error
        ? (["Warning", "FailedCreate", `Create Claim ${claim} for ${where} failed error: ${error.message}`] as const)
        : (["Normal", "SuccessfulCreate", `Create Claim ${claim} ${where} success`] as const);
      this.context.events.record(set, type, reason, message, { component });
    });
  }

  retain(set: StatefulSet, pod: Pod): void {
    retainClaims(this.context, set, pod, ordinalOf(pod), isInRange(set, pod));
  }

  /** Gives an adopted Pod the labels of its identity. What a running Pod may not have changed fails and is told. */
  mend(set: StatefulSet, pod: Pod): void {
    this.retain(set, pod);
    if (identityMatches(set, pod) && storageMatches(set, pod)) return;
    const { api, as } = this.context;
    const next = copy(pod);
    next.metadata.labels = { ...next.metadata.labels, ...identityLabels(set, ordinalOf(pod)) };
    if (!storageMatches(set, pod)) {
      next.spec!.volumes = withClaims(set, ordinalOf(pod), next.spec!.volumes ?? []);
      this.createClaims(set, pod);
    }
    try {
      const target = { ...pods, namespace: pod.metadata.namespace, name: pod.metadata.name };
      api.update(target, next, { ...as, warnings: [] });
    } catch (error) {
      this.record("Update", set, pod, error);
      throw error;
    }
    this.record("Update", set, pod);
  }

  delete(set: StatefulSet, pod: Pod): void {
    const { api, as } = this.context;
    const target = { ...pods, namespace: pod.metadata.namespace, name: pod.metadata.name };
    unless(["NotFound"], () => api.delete(target, {}, as));
    this.record("Delete", set, pod);
  }

  private record(verb: "Create" | "Update" | "Delete", set: StatefulSet, pod: Pod, error?: unknown): void {
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    if (error === undefined) {
      this.context.events.record(set, "Normal", `Successful${verb}`, `${what} successful`, { component });
      return;
    }
    const why = error instanceof Error ? error.message : String(error);
    this.context.events.record(set, "Warning", `Failed${verb}`, `${what} failed error: ${why}`, { component });
  }
}

function isTerminatingNamespace(error: ApiError): boolean {
  return error.status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating") ?? false;
}
