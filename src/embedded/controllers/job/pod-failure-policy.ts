import type { V1PodFailurePolicy, V1PodFailurePolicyOnExitCodesRequirement } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import type { ContainerStatus, Pod } from "../../api/pod.ts";

/** What a policy says of a failed Pod. */
export interface Verdict {
  /** Whether the failure counts towards the limits. */
  counts: boolean;
  action?: string;
  /** Why the whole Job fails because of it. */
  failJob?: string;
}

/**
 * The first rule that fits a failed Pod decides
 * (https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-failure-policy).
 */
export function judgeFailure(policy: Wire<V1PodFailurePolicy> | undefined, pod: Pod): Verdict {
  const where = `${pod.metadata.namespace}/${pod.metadata.name}`;
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    let what: string | undefined;
    if (rule.onExitCodes) {
      const container = matchingContainer(pod, rule.onExitCodes);
      if (container === undefined) continue;
      what = `Container ${container.name} for pod ${where} failed with exit code ${container.state!.terminated!.exitCode}`;
    } else {
      const condition = pod.status?.conditions?.find((c) =>
        rule.onPodConditions?.some((pattern) => pattern.type === c.type && pattern.status === c.status),
      );
      if (condition === undefined) continue;
      what = `Pod ${where} has condition ${condition.type}`;
    }
    const failJob =
      rule.action === "FailJob" ? { failJob: `${what} matching ${rule.action} rule at index ${index}` } : {};
    return { counts: rule.action !== "Ignore", action: rule.action, ...failJob };
  }
  return { counts: true };
}

function matchingContainer(
  pod: Pod,
  requirement: Wire<V1PodFailurePolicyOnExitCodesRequirement>,
): ContainerStatus | undefined {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return all.find(({ name, state }) => {
    const code = state?.terminated?.exitCode;
    if (code === undefined || code === 0) return false;
    if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
    return requirement.values.includes(code) === (requirement.operator === "In");
  });
}
