import resources from "../../../../data/resources.json" with { type: "json" };
import type { GroupResource, ResourceInfo } from "../../api/resource.ts";
import type { Store } from "../../store/store.ts";

const customResources = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** The resource of a kind, and whether it has a scale: Kubernetes' own, or one that the cluster defines. */
export function scalableResource(
  store: Store,
  group: string,
  kind: string,
): (GroupResource & { scalable: boolean }) | undefined {
  const own = (resources as unknown as ResourceInfo[]).find((r) => r.group === group && r.kind === kind);
  if (own) {
    const scalable = own.subresources?.some((s) => s.name === "scale") ?? false;
    return { group, resource: own.resource, scalable };
  }
  for (const definition of store.list(customResources)) {
    const spec = definition["spec"] as {
      group: string;
      names: { kind: string; plural: string };
      versions: { subresources?: { scale?: object } }[];
    };
    if (spec.group !== group || spec.names.kind !== kind) continue;
    const scalable = spec.versions.some((v) => v.subresources?.scale !== undefined);
    return { group, resource: spec.names.plural, scalable };
  }
  return undefined;
}
