import type { V1DeploymentCondition, V1DeploymentStatus } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import { copy, type Wire } from "../../api/object.ts";
import { type Deployment, type ReplicaSet, replicasOf, rollingLimits, totalReplicas } from "./replica-sets.ts";

type Condition = Wire<V1DeploymentCondition>;
type Status = Wire<V1DeploymentStatus>;

const counts = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"] as const;

/** What the ReplicaSets say about the Deployment (syncRolloutStatus of the deployment controller). */
export function deploymentStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: number,
): Status {
  const sum = (of: (set: ReplicaSet) => number | undefined) => all.reduce((total, set) => total + (of(set) ?? 0), 0);
  const available = sum((set) => set.status?.availableReplicas);
  const total = totalReplicas(all);
  const status: Status = {
    ...copy(deployment.status),
    observedGeneration: deployment.metadata.generation,
    replicas: sum((set) => set.status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum((set) => set.status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, total - available),
    terminatingReplicas: sum((set) => set.status?.terminatingReplicas),
  };
  const enough = available >= replicasOf(deployment) - rollingLimits(deployment).unavailable;
  let conditions = withCondition(
    status.conditions,
    enough
      ? condition("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.", now)
      : condition(
          "Available",
          "False",
          "MinimumReplicasUnavailable",
          "Deployment does not have minimum availability.",
          now,
        ),
  );
  conditions = withProgress(deployment, current, status, conditions, now);
  if (!deployment.spec?.paused) conditions = withFailure(conditions, current, all);
  for (const field of counts) if (status[field] === 0) delete status[field];
  status.conditions = conditions;
  return status;
}

/** A ReplicaSet that cannot make its Pods, the present one's trouble first, is the Deployment's trouble. */
function withFailure(
  conditions: Condition[],
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
): Condition[] {
  const failures = [...(current ? [current] : []), ...all].flatMap(
    (set) => set.status?.conditions?.filter((c) => c.type === "ReplicaFailure") ?? [],
  );
  const [failure] = failures;
  if (failure === undefined) return conditions.filter((c) => c.type !== "ReplicaFailure");
  const { type, status, lastTransitionTime, reason, message } = failure;
  const next = { type, status, lastTransitionTime, lastUpdateTime: lastTransitionTime, reason, message };
  return withCondition(conditions, next as Condition);
}

/** All Pods are of the present template, and available. */
export function isComplete(deployment: Deployment, status: Status): boolean {
  const wanted = replicasOf(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted
  );
}

function withProgress(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  status: Status,
  conditions: Condition[],
  now: number,
): Condition[] {
  if (deployment.spec?.progressDeadlineSeconds === undefined || deployment.spec.paused) return conditions;
  const before = deployment.status ?? {};
  const old = conditions.find((c) => c.type === "Progressing");
  const subject = current
    ? `ReplicaSet ${JSON.stringify(current.metadata.name)}`
    : `Deployment ${JSON.stringify(deployment.metadata.name)}`;
  // What is complete stays so while it is scaled: that is no roll-out.
  const isOnlyScaled = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (old?.reason === "NewReplicaSetAvailable" && isOnlyScaled) return conditions;
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(conditions, condition("Progressing", "True", "NewReplicaSetAvailable", message, now));
  }
  const progressed =
    (status.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    (status.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (status.availableReplicas ?? 0) > (before.availableReplicas ?? 0) ||
    (status.replicas ?? 0) - (status.updatedReplicas ?? 0) < (before.replicas ?? 0) - (before.updatedReplicas ?? 0);
  if (progressed) {
    const next = condition("Progressing", "True", "ReplicaSetUpdated", `${subject} is progressing.`, now);
    const rest = conditions.filter((c) => c.type !== "Progressing");
    const lastTransitionTime = old?.status === "True" ? old.lastTransitionTime : next.lastTransitionTime;
    return [...rest, { ...next, lastTransitionTime } as Condition];
  }
  if (old && timedOut(deployment, old, now)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(conditions, condition("Progressing", "False", "ProgressDeadlineExceeded", message, now));
  }
  return conditions;
}

function timedOut(deployment: Deployment, progressing: Condition, now: number): boolean {
  if (progressing.reason === "NewReplicaSetAvailable") return false;
  const deadline = (deployment.spec?.progressDeadlineSeconds ?? 600) * 1000;
  return Date.parse(progressing.lastUpdateTime ?? "") + deadline < now;
}

export function condition(type: string, status: string, reason: string, message: string, now: number): Condition {
  const time = rfc3339(now);
  return { type, status, reason, message, lastUpdateTime: time, lastTransitionTime: time } as Condition;
}

/** Replaces a condition when status or reason changed; the transition time stays while the status does. */
export function withCondition(conditions: Condition[] | undefined, next: Condition): Condition[] {
  const old = conditions?.find((c) => c.type === next.type);
  if (old && old.status === next.status && old.reason === next.reason) return conditions ?? [];
  const rest = (conditions ?? []).filter((c) => c.type !== next.type);
  const lastTransitionTime = old?.status === next.status ? old.lastTransitionTime : next.lastTransitionTime;
  return [...rest, { ...next, lastTransitionTime } as Condition];
}
