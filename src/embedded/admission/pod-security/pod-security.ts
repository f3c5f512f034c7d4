import type { V1PodTemplateSpec } from "@kubernetes/client-node";
import { apiError } from "../../api/api-error.ts";
import { equal, type ObjectMeta, type Wire } from "../../api/object.ts";
import type { Container, Pod } from "../../api/pod.ts";
import { groupResource } from "../../api/resource.ts";
import type { AdmissionPlugin, AdmissionRequest, RegistryCore } from "../../registry/core.ts";
import type { PodSpec, Violation } from "./check.ts";
import { policyOf, strictness } from "./policy.ts";
import { type Standard, standardText, violations } from "./standard.ts";

const namespaces = { group: "", resource: "namespaces" };
const pods = { group: "", resource: "pods" };
/** Subresources of Pods by which the spec of none is changed. */
const ignored = ["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"];
/** Where a workload has its template of Pods. */
const templates: Record<string, readonly string[]> = {
  podtemplates: ["template"],
  replicationcontrollers: ["spec", "template"],
  "replicasets.apps": ["spec", "template"],
  "deployments.apps": ["spec", "template"],
  "statefulsets.apps": ["spec", "template"],
  "daemonsets.apps": ["spec", "template"],
  "jobs.batch": ["spec", "template"],
  "cronjobs.batch": ["spec", "jobTemplate", "spec", "template"],
};

/**
 * Holds Pods to the security standard of their namespace, and warns of workloads whose Pods will not get in (PodSecurity,
 * https://kubernetes.io/docs/concepts/security/pod-security-admission/).
 */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  validate(request, core) {
    if (request.operation === "DELETE" || request.object === undefined) return;
    const name = groupResource(request.definition.info);
    if (name === "namespaces") checkNamespace(request, core);
    else if (name === "pods") checkPod(request, core);
    else if (templates[name] !== undefined && !request.target.subresource)
      checkTemplate(request, core, templates[name]);
  },
};

function checkPod(request: AdmissionRequest, core: RegistryCore): void {
  const { operation, target, object, old, context, definition } = request;
  if (ignored.includes(target.subresource ?? "")) return;
  const pod = object as Pod;
  if (operation === "UPDATE" && !changesContainers(pod, old as Pod)) return;
  const { enforce, warn } = policyFor(request, core);
  const found = violations(enforce, pod.metadata, pod.spec!);
  if (found.length > 0) {
    const why = `violates PodSecurity ${JSON.stringify(standardText(enforce))}: ${details(found)}`;
    throw apiError.forbidden(definition.info, pod.metadata.name ?? "", why);
  }
  warnOf(warn, pod.metadata, pod.spec!, context.warnings);
}

function checkTemplate(request: AdmissionRequest, core: RegistryCore, path: readonly string[]): void {
  let template: unknown = request.object;
  for (const field of path) template = (template as Record<string, unknown> | undefined)?.[field];
  const { metadata, spec } = (template ?? {}) as Wire<V1PodTemplateSpec>;
  if (spec) warnOf(policyFor(request, core).warn, metadata, spec, request.context.warnings);
}

/** Wrong labels are refused; a stricter standard tells which Pods of the namespace would not be let in today. */
function checkNamespace({ operation, target, object, old, context }: AdmissionRequest, { store }: RegistryCore): void {
  if (target.subresource) return;
  const { policy, errors } = policyOf(object!.metadata.labels);
  const before = old === undefined ? undefined : policyOf(old.metadata.labels);
  if (errors.length > 0 && !equal(errors, before?.errors)) {
    throw apiError.invalid({ group: "", kind: "Namespace" }, object!.metadata.name ?? "", errors);
  }
  if (operation !== "UPDATE" || before === undefined || equal(policy.enforce, before.policy.enforce)) return;
  const { enforce } = policy;
  const isLaxer = strictness(enforce.level) <= strictness(before.policy.enforce.level);
  if (enforce.level === "privileged" || (enforce.version === before.policy.enforce.version && isLaxer)) return;
  const reasons = new Map<string, string[]>();
  for (const pod of store.list(pods, object!.metadata.name) as readonly Pod[]) {
    const found = violations(enforce, pod.metadata, pod.spec!);
    const reason = found.map((violation) => violation.reason).join(", ");
    if (found.length > 0) reasons.set(reason, [...(reasons.get(reason) ?? []), pod.metadata.name!]);
  }
  if (reasons.size === 0) return;
  const name = JSON.stringify(object!.metadata.name);
  const standard = JSON.stringify(standardText(enforce));
  const lines = [...reasons].map(([reason, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` (and ${others.length} other ${others.length === 1 ? "pod" : "pods"})`;
    return `${first}${more}: ${reason}`;
  });
  const title = `existing pods in namespace ${name} violate the new PodSecurity enforce level ${standard}`;
  context.warnings?.push(title, ...lines.sort());
}

function policyFor({ target }: AdmissionRequest, { store }: RegistryCore) {
  return policyOf(store.get(namespaces, "", target.namespace ?? "")?.metadata.labels).policy;
}

function warnOf(
  standard: Standard,
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
  warnings: string[] | undefined,
): void {
  const found = violations(standard, metadata, spec);
  if (found.length === 0) return;
  warnings?.push(`would violate PodSecurity ${JSON.stringify(standardText(standard))}: ${details(found)}`);
}

function details(found: readonly NonNullable<Violation>[]): string {
  return found.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}

/** Another image, or another container: the rest of a Pod's spec cannot make it less secure. */
function changesContainers(pod: Pod, old: Pod): boolean {
  const images = ({ spec }: Pod) => [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((c) => c.image);
  if (!equal(images(pod), images(old))) return true;
  const before = (old.spec?.ephemeralContainers ?? []) as Container[];
  return ((pod.spec?.ephemeralContainers ?? []) as Container[]).some(
    (c) => before.find((b) => b.name === c.name)?.image !== c.image,
  );
}
