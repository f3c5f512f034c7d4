import { quantityOf } from "../api/quantity.ts";
import { type GroupResource, groupResource } from "../api/resource.ts";
import { claims } from "./claim-evaluator.ts";
import type { Evaluator } from "./evaluator.ts";
import { pods } from "./pod-evaluator.ts";
import { services } from "./service-evaluator.ts";

/** Resources that quotas also know by a shorter name than `count/…`. */
const plainNames = ["configmaps", "resourcequotas", "replicationcontrollers", "secrets"];

/** Events have never been counted. */
export function isIgnored({ group, resource }: GroupResource): boolean {
  return resource === "events" && (group === "" || group === "events.k8s.io");
}

/** @throws never: a resource without rules of its own is counted by its objects */
export function evaluatorFor(gr: GroupResource): Evaluator {
  if (gr.group === "") {
    if (gr.resource === "pods") return pods;
    if (gr.resource === "services") return services;
    if (gr.resource === "persistentvolumeclaims") return claims;
  }
  const names = [`count/${groupResource(gr)}`];
  if (gr.group === "" && plainNames.includes(gr.resource)) names.push(gr.resource);
  return {
    resources: (of) => of.filter((name) => names.includes(name)),
    usage: () => Object.fromEntries(names.map((name) => [name, quantityOf(1)])),
    isInScope: () => false,
    isCharged: (operation, subresource) => operation === "CREATE" && subresource === "",
  };
}

/** The resource that a quota's name is about, as `deployments.apps` or `pods`. */
export function countedResource(name: string): string | undefined {
  if (name.startsWith("count/")) return name.slice("count/".length);
  if (plainNames.includes(name)) return name;
  if (name === "services" || name.startsWith("services.")) return "services";
  if (name === "persistentvolumeclaims" || name === "requests.storage") return "persistentvolumeclaims";
  if (/\.storageclass\.storage\.k8s\.io\//.test(name)) return "persistentvolumeclaims";
  return "pods";
}
