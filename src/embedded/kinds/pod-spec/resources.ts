import type { V1ResourceRequirements } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { qualifiedNameErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from "../../api/quantity.ts";
import { sortedEntries } from "../fields/labels.ts";
import { named } from "../fields/names.ts";
import { nonNegativeQuantity } from "../fields/numbers.ts";

type Requirements = Wire<V1ResourceRequirements>;

const containerResources = ["cpu", "memory", "ephemeral-storage"];
/** Resources of quotas and limits that have no domain in their name. */
const standardResources = [
  ...containerResources,
  "storage",
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "requests.storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
];

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Resources of Kubernetes' own domain, or without a domain. */
function isNative(name: string): boolean {
  return !name.includes("/") || /(^|\.)kubernetes\.io\//.test(name);
}

/** `example.com/gpu`: a resource that a device plugin advertises. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedNameErrors(`requests.${name}`).length === 0;
}

/** Only native resources other than huge pages may be promised more than once. */
function overcommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function validateResourceName(name: string, path: string): FieldError[] {
  const errors = named(name, path, qualifiedNameErrors);
  if (errors.length > 0 || name.includes("/") || standardResources.includes(name) || isHugePages(name)) return errors;
  return [fieldError.invalid(path, name, "must be a standard resource type or fully qualified")];
}

function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!containerResources.includes(name) && !isHugePages(name)) {
      errors.push(fieldError.invalid(path, name, "must be a standard resource for containers"));
    }
  } else if (!isNative(name) && !isExtended(name)) {
    errors.push(fieldError.invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** The amount of a resource: not negative; whole for what is counted. */
export function validateResourceQuantity(name: string, text: string, path: string): FieldError[] {
  const errors = nonNegativeQuantity(text, path);
  const counted = isExtended(name) || /^(pods|services|secrets|configmaps|count\/)/.test(name);
  if (counted && parseQuantity(text).nano % 10n ** 9n !== 0n) {
    errors.push(fieldError.invalid(path, text, "must be an integer"));
  }
  return errors;
}

/** Requests and limits of a container. */
export function validateResources(resources: Requirements | undefined, path: string): FieldError[] {
  if (!resources) return [];
  const limits = resources.limits ?? {};
  const requests = resources.requests ?? {};
  const errors: FieldError[] = [];
  for (const [name, text] of sortedEntries(limits)) {
    const at = `${path}.limits[${name}]`;
    errors.push(...validateContainerResourceName(name, at), ...validateResourceQuantity(name, text, at));
  }
  for (const [name, text] of sortedEntries(requests)) {
    const at = `${path}.requests[${name}]`;
    errors.push(...validateContainerResourceName(name, at), ...validateResourceQuantity(name, text, at));
    errors.push(...requestAgainstLimit(name, parseQuantity(text), limits[name], path));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((n) => n === "cpu" || n === "memory")) {
    errors.push(fieldError.forbidden(path, "HugePages require cpu or memory"));
  }
  return errors;
}

function requestAgainstLimit(
  name: string,
  request: Quantity,
  limitText: string | undefined,
  path: string,
): FieldError[] {
  if (limitText === undefined) {
    return overcommitAllowed(name)
      ? []
      : [fieldError.required(`${path}.limits`, "Limit must be set for non overcommitable resources")];
  }
  const limit = parseQuantity(limitText);
  const order = compareQuantities(request, limit);
  const shownRequest = formatQuantity(request);
  const shownLimit = formatQuantity(limit);
  if (order !== 0 && !overcommitAllowed(name)) {
    return [fieldError.invalid(`${path}.requests`, shownRequest, `must be equal to ${name} limit of ${shownLimit}`)];
  }
  return order > 0
    ? [
        fieldError.invalid(
          `${path}.requests`,
          shownRequest,
          `must be less than or equal to ${name} limit of ${shownLimit}`,
        ),
      ]
    : [];
}
