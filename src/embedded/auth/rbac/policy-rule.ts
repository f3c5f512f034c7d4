import type { AccessRequest, PolicyRule } from "../authorization.ts";

/** True when the rule allows the request. https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export function ruleAllows(rule: PolicyRule, { verb, resource, path }: AccessRequest): boolean {
  if (!has(rule.verbs, verb)) return false;
  if (resource === undefined)
    return path !== undefined && (rule.nonResourceURLs ?? []).some((url) => covers(url, path));
  const { group, subresource, name } = resource;
  return (
    has(rule.apiGroups, group) &&
    resourceMatches(rule.resources ?? [], resource.resource, subresource) &&
    ((rule.resourceNames ?? []).length === 0 || rule.resourceNames!.includes(name))
  );
}

/** `pods`, `pods/log`, and wildcards: `*`, and star and `/scale` for a subresource of every resource. */
function resourceMatches(allowed: readonly string[], resource: string, subresource: string): boolean {
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  return allowed.some((one) => one === "*" || one === combined || (subresource !== "" && one === `*/${subresource}`));
}

/** A path, or all that begins with what is before the star. */
function covers(url: string, path: string): boolean {
  return url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}

function has(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes("*") || list.includes(value));
}

/**
 * The smallest rules of `wanted` that `owned` does not cover: what somebody would gain. Each names one verb of one
 * thing.
 */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((rule) => !owned.some((own) => ruleCovers(own, rule)));
}

function breakDown(rule: PolicyRule): PolicyRule[] {
  const out: PolicyRule[] = [];
  for (const apiGroup of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const one = { apiGroups: [apiGroup], resources: [resource], verbs: [verb] };
        const names = rule.resourceNames ?? [];
        if (names.length === 0) out.push(one);
        else out.push(...names.map((name) => ({ ...one, resourceNames: [name] })));
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of rule.verbs) out.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return out;
}

/** `wanted` names one thing of each sort. */
function ruleCovers(owned: PolicyRule, wanted: PolicyRule): boolean {
  if (!has(owned.verbs, wanted.verbs[0]!)) return false;
  const [url] = wanted.nonResourceURLs ?? [];
  if (url !== undefined) return (owned.nonResourceURLs ?? []).some((own) => covers(own, url));
  if (!has(owned.apiGroups, wanted.apiGroups![0]!)) return false;
  const [resource = "", ...subresource] = wanted.resources![0]!.split("/");
  if (!resourceMatches(owned.resources ?? [], resource, subresource.join("/"))) return false;
  const names = owned.resourceNames ?? [];
  return names.length === 0 || (wanted.resourceNames !== undefined && names.includes(wanted.resourceNames[0]!));
}

/**
 * Rules that differ in their verbs only, put together, and none said twice: how access reviews and the escalation check
 * list them.
 */
export function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...rule, verbs: [...new Set(rule.verbs)] });
    else known.verbs = [...new Set([...known.verbs, ...rule.verbs])];
  }
  return [...merged.values()];
}
