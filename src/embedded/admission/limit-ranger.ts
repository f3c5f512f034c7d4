import type { V1LimitRange, V1LimitRangeItem, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { apiError } from "../api/api-error.ts";
import type { KubeObject, Wire } from "../api/object.ts";
import type { Container } from "../api/pod.ts";
import { formatQuantity, type Quantity } from "../api/quantity.ts";
import { type Amounts, readAmounts } from "../quota/amounts.ts";
import { podAmounts } from "../quota/pod-amounts.ts";
import type { AdmissionPlugin, AdmissionRequest, RegistryCore } from "../registry/core.ts";
import { createdPod, nameInMessages, type Pod } from "./pod-request.ts";

type LimitRange = KubeObject & Wire<V1LimitRange>;
type Item = Wire<V1LimitRangeItem>;
type List = Record<string, string>;

const limitRanges = { group: "", resource: "limitranges" };
const annotation = "kubernetes.io/limit-ranger";

/**
 * Gives containers the requests and limits that a namespace's LimitRanges have as defaults, and refuses Pods and claims
 * that are out of range (https://kubernetes.io/docs/concepts/policy/limit-range/).
 */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  mutate(request, core) {
    const pod = createdPod(request);
    if (pod?.spec === undefined) return;
    for (const range of rangesOf(request, core)) applyDefaults(pod, range.spec?.limits ?? []);
  },
  validate(request, core) {
    const { operation, definition, target, object, old } = request;
    if (target.subresource && target.subresource !== "resize") return;
    const { group, resource } = definition.info;
    if (object === undefined || group !== "" || old?.metadata.deletionTimestamp !== undefined) return;
    const isPod = resource === "pods" && (operation === "CREATE" || target.subresource === "resize");
    const isClaim = resource === "persistentvolumeclaims" && operation !== "DELETE" && !target.subresource;
    if (!isPod && !isClaim) return;
    for (const range of rangesOf(request, core)) {
      const limits = range.spec?.limits ?? [];
      const problems = isPod ? podProblems(object as Pod, limits) : claimProblems(object, limits);
      if (problems.length === 0) continue;
      const why = problems.length === 1 ? problems[0]! : `[${[...new Set(problems)].join(", ")}]`;
      throw apiError.forbidden(definition.info, nameInMessages(object), why);
    }
  },
};

function rangesOf({ target }: AdmissionRequest, { store }: RegistryCore): readonly LimitRange[] {
  return store.list(limitRanges, target.namespace ?? "") as readonly LimitRange[];
}

function applyDefaults({ spec, metadata }: Pod, items: Item[]): void {
  const ofContainers = items.filter((item) => item.type === "Container");
  const requests = Object.assign({}, ...ofContainers.map((item) => item.defaultRequest)) as List;
  const limits = Object.assign(
    {},
    ...ofContainers.map((item) => item._default ?? (item as { default?: List }).default),
  );
  const notes: string[] = [];
  const apply = (container: Container, kind: string) => {
    const set = (of: "requests" | "limits", defaults: List) => {
      const given = (container.resources?.[of] ?? {}) as List;
      const added = Object.keys(defaults).filter((name) => given[name] === undefined);
      if (added.length === 0) return;
      container.resources = { ...container.resources, [of]: { ...given } };
      for (const name of added) (container.resources[of] as List)[name] = defaults[name]!;
      notes.push(`${added.sort().join(", ")} ${of.slice(0, -1)} for ${kind} ${container.name}`);
    };
    set("requests", requests);
    set("limits", limits as List);
  };
  for (const container of spec!.containers) apply(container, "container");
  for (const container of spec!.initContainers ?? []) apply(container, "init container");
  if (notes.length === 0) return;
  metadata.annotations = { ...metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
}

function podProblems({ spec }: Pod, items: Item[]): string[] {
  const containers = [...spec!.containers, ...(spec!.initContainers ?? [])];
  return items.flatMap((item) => {
    if (item.type === "Container") {
      return containers.flatMap(({ resources }) =>
        problems(item, readAmounts(resources?.requests as List), readAmounts(resources?.limits as List)),
      );
    }
    if (item.type !== "Pod") return [];
    return problems(item, podAmounts(spec!, "requests"), podAmounts(spec!, "limits"));
  });
}

function claimProblems(claim: KubeObject, items: Item[]): string[] {
  const { spec } = claim as KubeObject & Wire<V1PersistentVolumeClaim>;
  const requests = readAmounts(spec?.resources?.requests as List);
  return items
    .filter((item) => item.type === "PersistentVolumeClaim")
    .flatMap((item) => [
      ...each(item.min).flatMap(([name, least]) => belowMinimum(item.type, name, least, requests[name], undefined)),
      ...each(item.max).flatMap(([name, most]) =>
        aboveMaximum(item.type, name, most, requests[name], undefined, "request"),
      ),
    ]);
}

function problems(item: Item, requests: Amounts, limits: Amounts): string[] {
  const { type } = item;
  return [
    ...each(item.min).flatMap(([name, least]) => belowMinimum(type, name, least, requests[name], limits[name])),
    ...each(item.max).flatMap(([name, most]) => aboveMaximum(type, name, most, requests[name], limits[name], "limit")),
    ...each(item.maxLimitRequestRatio).flatMap(([name, ratio]) =>
      aboveRatio(type, name, ratio, requests[name], limits[name]),
    ),
  ];
}

function each(list: unknown): [string, Quantity][] {
  return Object.entries(readAmounts(list as List | undefined)).sort(([a], [b]) => (a < b ? -1 : 1));
}

function belowMinimum(type: string, name: string, least: Quantity, request?: Quantity, limit?: Quantity): string[] {
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(least)}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (request.nano < least.nano) return [`${rule}, but request is ${formatQuantity(request)}`];
  if (limit !== undefined && limit.nano < least.nano) return [`${rule}, but limit is ${formatQuantity(limit)}`];
  return [];
}

function aboveMaximum(
  type: string,
  name: string,
  most: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
  needed: "request" | "limit",
): string[] {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
  if ((needed === "limit" ? limit : request) === undefined) return [`${rule}.  No ${needed} is specified`];
  if (limit !== undefined && limit.nano > most.nano) return [`${rule}, but limit is ${formatQuantity(limit)}`];
  if (request !== undefined && request.nano > most.nano) return [`${rule}, but request is ${formatQuantity(request)}`];
  return [];
}

function aboveRatio(type: string, name: string, most: Quantity, request?: Quantity, limit?: Quantity): string[] {
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(most)}`;
  if (request === undefined || request.nano === 0n) return [`${rule}, but no request is specified or request is 0`];
  if (limit === undefined || limit.nano === 0n) return [`${rule}, but no limit is specified or limit is 0`];
  const ratio = Number(limit.nano) / Number(request.nano);
  return ratio * 1e9 > Number(most.nano) ? [`${rule}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}
