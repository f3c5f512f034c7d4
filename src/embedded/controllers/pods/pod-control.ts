import { ApiError } from "../../api/api-error.ts";
import type { KubeObject } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import type { ControllerContext } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { pods } from "../framework/resources.ts";

/** Makes and deletes a controller's Pods, with the events that tell of it. */
export class PodControl {
  constructor(
    private readonly context: ControllerContext,
    /** source.component of the events: `daemonset-controller`. */
    private readonly component: string,
  ) {}

  /**
   * Makes Pods in batches of 1, 2, 4 …, and stops after a batch with a failure: what fails once fails again.
   *
   * @throws ApiError the first failure, so that the owner is tried again later
   */
  createAll(owner: KubeObject, bodies: readonly unknown[]): void {
    const { error } = this.createSome(owner, bodies);
    if (error) throw error;
  }

  /** The same, telling how many were made before the first failure, if there was one. */
  createSome(owner: KubeObject, bodies: readonly unknown[]): { created: number; error?: ApiError } {
    let created = 0;
    for (let from = 0, size = 1; from < bodies.length; from += size, size *= 2) {
      const batch = bodies.slice(from, from + size);
      const failures = batch.flatMap((body) => this.create(owner, body));
      created += batch.length - failures.length;
      if (failures.length > 0) return { created, error: failures[0]! };
    }
    return { created };
  }

  private create(owner: KubeObject, body: unknown): ApiError[] {
    const { api, as, events } = this.context;
    try {
      const pod = api.create({ ...pods, namespace: owner.metadata.namespace }, body, { ...as, warnings: [] });
      events.record(owner, "Normal", "SuccessfulCreate", `Created pod: ${pod.metadata.name}`, {
        component: this.component,
      });
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // In a namespace that is going nothing can be made, and nobody needs to be told.
      if (error.status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating")) return [];
      events.record(owner, "Warning", "FailedCreate", `Error creating: ${error.message}`, {
        component: this.component,
      });
      return [error];
    }
  }

  delete(owner: KubeObject, pod: Pod): void {
    const { api, as, events } = this.context;
    const target = { ...pods, namespace: pod.metadata.namespace, name: pod.metadata.name };
    const deleted = unless(["NotFound", "Conflict"], () =>
      api.delete(target, { preconditions: { uid: pod.metadata.uid } }, as),
    );
    if (deleted === undefined) return;
    events.record(owner, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`, {
      component: this.component,
    });
  }
}
