import type { V1DaemonSet, V1DaemonSetStatus, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Wire } from "../../embedded/api/object.ts";

type Status = Required<
  Pick<
    Wire<V1DaemonSetStatus>,
    | "currentNumberScheduled"
    | "desiredNumberScheduled"
    | "numberAvailable"
    | "numberMisscheduled"
    | "numberReady"
    | "numberUnavailable"
    | "updatedNumberScheduled"
    | "observedGeneration"
  >
>;

/** A DaemonSet as it was read, with the questions a check asks of it. */
export class ObservedDaemonSet {
  constructor(readonly object: Wire<V1DaemonSet>) {}

  get metadata(): NonNullable<Wire<V1DaemonSet>["metadata"]> {
    return this.object.metadata ?? {};
  }

  get spec(): NonNullable<Wire<V1DaemonSet>["spec"]> {
    return this.object.spec!;
  }

  get template(): Wire<V1PodTemplateSpec> & { spec: NonNullable<Wire<V1PodTemplateSpec>["spec"]> } {
    return this.spec.template as ReturnType<() => ObservedDaemonSet["template"]>;
  }

  /** The status, with 0 for what the controller has not written yet. */
  get status(): Status {
    const status: Partial<Wire<V1DaemonSetStatus>> = this.object.status ?? {};
    return {
      currentNumberScheduled: status.currentNumberScheduled ?? 0,
      desiredNumberScheduled: status.desiredNumberScheduled ?? 0,
      numberAvailable: status.numberAvailable ?? 0,
      numberMisscheduled: status.numberMisscheduled ?? 0,
      numberReady: status.numberReady ?? 0,
      numberUnavailable: status.numberUnavailable ?? 0,
      updatedNumberScheduled: status.updatedNumberScheduled ?? 0,
      observedGeneration: status.observedGeneration ?? 0,
    };
  }

  /** Has the controller seen the latest spec? While it has not, the status speaks of an older one. */
  get isObserved(): boolean {
    return this.status.observedGeneration >= (this.metadata.generation ?? 0);
  }

  /** Every node that should have an up-to-date Pod has one, and no Pod is where none should be. */
  get isRolledOut(): boolean {
    const { desiredNumberScheduled: desired, ...status } = this.status;
    return (
      this.isObserved &&
      status.currentNumberScheduled === desired &&
      status.updatedNumberScheduled === desired &&
      status.numberAvailable === desired &&
      status.numberMisscheduled === 0
    );
  }
}
