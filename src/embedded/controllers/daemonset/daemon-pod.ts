import type { V1Affinity } from "@kubernetes/client-node";
import { copy, type Wire } from "../../api/object.ts";
import type { Pod } from "../../api/pod.ts";
import { controllerReference } from "../framework/controller-reference.ts";
import { type DaemonSet, daemonTolerations } from "./eligibility.ts";

export const revisionHashLabel = "controller-revision-hash";
const templateGenerationLabel = "pod-template-generation";
const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** The Pod a DaemonSet makes for a node, before the server names it. */
export function daemonPod(daemonSet: DaemonSet, node: string, hash: string): unknown {
  const { template } = daemonSet.spec!;
  const spec = copy(template.spec!);
  spec.tolerations = daemonTolerations(spec);
  spec.affinity = forNode(spec.affinity, node);
  const generation = templateGeneration(daemonSet);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(template.metadata?.annotations === undefined ? {} : { annotations: copy(template.metadata.annotations) }),
      ...(template.metadata?.finalizers === undefined ? {} : { finalizers: template.metadata.finalizers }),
      generateName: `${daemonSet.metadata.name}-`,
      namespace: daemonSet.metadata.namespace,
      labels: {
        ...template.metadata?.labels,
        ...(generation === undefined ? {} : { [templateGenerationLabel]: generation }),
        [revisionHashLabel]: hash,
      },
      ownerReferences: [controllerReference(daemonSet)],
    },
    spec,
  };
}

/** The scheduler places a daemon, but only on its node: required affinity by name replaces what terms there are. */
function forNode(affinity: Wire<V1Affinity> | undefined, node: string): Wire<V1Affinity> {
  const byName = { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [byName] },
    },
  };
}

/** The node a daemon is on, or is meant for while it is not yet scheduled. */
export function targetNode(pod: Pod): string | undefined {
  if (pod.spec?.nodeName) return pod.spec.nodeName;
  const terms =
    pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const term of terms) {
    for (const field of term.matchFields ?? []) {
      if (field.key === "metadata.name" && field.operator === "In" && field.values?.length === 1)
        return field.values[0];
    }
  }
  return undefined;
}

export function templateGeneration(daemonSet: DaemonSet): string | undefined {
  return daemonSet.metadata.annotations?.[templateGenerationAnnotation];
}

/** Made from the template of this revision. */
export function isUpdated(pod: Pod, daemonSet: DaemonSet, hash: string): boolean {
  const labels = pod.metadata.labels ?? {};
  const generation = templateGeneration(daemonSet);
  return (
    (generation !== undefined && labels[templateGenerationLabel] === generation) ||
    (hash !== "" && labels[revisionHashLabel] === hash)
  );
}
