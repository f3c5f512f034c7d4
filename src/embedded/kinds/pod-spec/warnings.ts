import type {
  V1Container,
  V1ContainerPort,
  V1PodAffinity,
  V1PodSpec,
  V1PodTemplateSpec,
} from "@kubernetes/client-node";
import { dns1123LabelErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { parseQuantity } from "../../api/quantity.ts";

type PodSpec = Wire<V1PodSpec>;

const deprecatedAnnotations: Record<string, string> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};

const deprecatedNodeLabels: Record<string, string> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

const deprecatedVolumes: Record<string, string> = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
};

/** A new object's name becomes part of Pods' hostnames; `where` says so in the server's words. */
export function nameWarnings(
  name: string | undefined,
  isNew: boolean,
  where: "Pod names and hostnames" | "the Pod's hostname" = "Pod names and hostnames",
): string[] {
  const wrong = isNew && name ? dns1123LabelErrors(name) : [];
  return wrong.length === 0
    ? []
    : [
        `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(" ")}]`,
      ];
}

/** Warnings about a controller's template (pkg/api/pod/warnings.go). */
export function templateWarnings(template: Wire<V1PodTemplateSpec> | undefined, path: string): string[] {
  if (!template?.spec) return [];
  return podWarnings(template.spec, template.metadata?.annotations, `${path}.`);
}

/** Warnings about a Pod; `prefix` is "" or the path of the template with a dot. */
export function podWarnings(spec: PodSpec, annotations: Record<string, string> | undefined, prefix: string): string[] {
  const path = `${prefix}spec`;
  return [
    ...nodeLabelWarnings(spec, path),
    ...Object.entries(deprecatedAnnotations)
      .filter(([key]) => annotations?.[key] !== undefined)
      .map(([key, message]) => `${prefix}metadata.annotations[${key}]: ${message}`),
    ...(spec.volumes ?? []).flatMap((volume, i) =>
      Object.entries(deprecatedVolumes)
        .filter(([type]) => volume[type as keyof typeof volume] !== undefined)
        .map(([type, message]) => `${path}.volumes[${i}].${type === "storageos" ? "storageOS" : type}: ${message}`),
    ),
    ...duplicates(spec.hostAliases ?? [], (a) => a.ip ?? "").map(
      ({ item, index }) => `${path}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(item.ip)}`,
    ),
    ...imagePullSecretWarnings(spec, path),
    ...containersWithPath(spec, path).flatMap(({ container, at }) => [
      ...fractionalBytes(container, at),
      ...hiddenVariables(container, at),
    ]),
    ...portWarnings(spec, path),
    ...portNameWarnings(spec, path),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec.affinity?.podAffinity, `${path}.affinity.podAffinity`),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, `${path}.affinity.podAntiAffinity`),
  ];
}

function nodeLabelWarnings(spec: PodSpec, path: string): string[] {
  const warnings = Object.keys(spec.nodeSelector ?? {})
    .sort()
    .filter((key) => deprecatedNodeLabels[key])
    .map((key) => `${path}.nodeSelector[${key}]: ${deprecatedNodeLabels[key]}`);
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [i, term] of terms.entries()) {
    for (const [j, { key }] of (term.matchExpressions ?? []).entries()) {
      const message = deprecatedNodeLabels[key];
      if (message) {
        const at = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`;
        warnings.push(`${at}.matchExpressions[${j}].key: ${key} is ${message}`);
      }
    }
  }
  for (const [i, constraint] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = `${path}.topologySpreadConstraints[${i}]`;
    const message = deprecatedNodeLabels[constraint.topologyKey];
    if (message) warnings.push(`${at}.topologyKey: ${constraint.topologyKey} is ${message}`);
    if (!constraint.labelSelector) {
      warnings.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
    }
  }
  return warnings;
}

function imagePullSecretWarnings(spec: PodSpec, path: string): string[] {
  const secrets = spec.imagePullSecrets ?? [];
  return [
    ...duplicates(secrets, (s) => s.name ?? "").map(
      ({ item, index }) => `${path}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(item.name ?? "")}`,
    ),
    ...secrets.flatMap((s, i) => (s.name ? [] : [`${path}.imagePullSecrets[${i}].name: invalid empty name ""`])),
  ];
}

function fractionalBytes(container: Wire<V1Container>, at: string): string[] {
  const warnings: string[] = [];
  for (const resource of ["memory", "ephemeral-storage"]) {
    for (const kind of ["limits", "requests"] as const) {
      const text = container.resources?.[kind]?.[resource];
      if (text !== undefined && parseQuantity(text).nano % 10n ** 9n !== 0n) {
        warnings.push(
          `${at}.resources.${kind}[${resource}]: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`,
        );
      }
    }
  }
  return warnings;
}

/** A variable defined twice, unless the second extends the first: `PATH=$(PATH):/more`. */
function hiddenVariables(container: Wire<V1Container>, at: string): string[] {
  return duplicates(container.env ?? [], (e) => e.name)
    .filter(({ item }) => {
      const reference = `$(${item.name})`;
      return item.valueFrom !== undefined || item.value === reference || !(item.value ?? "").includes(reference);
    })
    .map(
      ({ item, index }) =>
        `${at}.env[${index}]: hides previous definition of ${JSON.stringify(item.name)}, which may be dropped when using apply`,
    );
}

function portWarnings(spec: PodSpec, path: string): string[] {
  const seen = new Map<string, { at: string; port: Wire<V1ContainerPort> }[]>();
  const warnings: string[] = [];
  for (const { at, port } of portsWithPath(spec, path)) {
    const key = `${port.containerPort}/${port.protocol}`;
    const others = seen.get(key) ?? [];
    for (const other of others) {
      const relation = portRelation(port, other.port);
      if (relation) warnings.push(`${at}: ${relation} port definition with ${other.at}`);
    }
    seen.set(key, [...others, { at, port }]);
  }
  return warnings;
}

function portRelation(a: Wire<V1ContainerPort>, b: Wire<V1ContainerPort>): string | undefined {
  const samePort = (a.hostPort ?? 0) === (b.hostPort ?? 0);
  if (samePort && (a.hostIP ?? "") === (b.hostIP ?? "")) return "duplicate";
  if (!a.hostPort || !b.hostPort) return "overlapping";
  return samePort && !a.hostIP !== !b.hostIP ? "dangerously ambiguous" : undefined;
}

function portNameWarnings(spec: PodSpec, path: string): string[] {
  const seen = new Map<string, string>();
  return portsWithPath(spec, path).flatMap(({ at, port }) => {
    if (!port.name) return [];
    const other = seen.get(port.name);
    if (other === undefined) {
      seen.set(port.name, at);
      return [];
    }
    return [
      `${at}: duplicate port name ${JSON.stringify(port.name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}

function affinityWarnings(affinity: Wire<V1PodAffinity> | undefined, path: string): string[] {
  const nullSelector = "a null labelSelector results in matching no pod";
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, i) =>
      term.labelSelector
        ? []
        : [`${path}.requiredDuringSchedulingIgnoredDuringExecution[${i}].labelSelector: ${nullSelector}`],
    ),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, i) =>
      term.podAffinityTerm?.labelSelector
        ? []
        : [
            `${path}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.labelSelector: ${nullSelector}`,
          ],
    ),
  ];
}

function containersWithPath(spec: PodSpec, path: string): { container: Wire<V1Container>; at: string }[] {
  return (["initContainers", "containers"] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, i) => ({ container, at: `${path}.${field}[${i}]` })),
  );
}

function portsWithPath(spec: PodSpec, path: string): { port: Wire<V1ContainerPort>; at: string }[] {
  return containersWithPath(spec, path).flatMap(({ container, at }) =>
    (container.ports ?? []).map((port, i) => ({ port, at: `${at}.ports[${i}]` })),
  );
}

function duplicates<T>(items: readonly T[], key: (item: T) => string): { item: T; index: number }[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const repeated = seen.has(key(item));
    seen.add(key(item));
    return repeated ? [{ item, index }] : [];
  });
}
