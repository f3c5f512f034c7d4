/** A resource of the API without its version: what the store is keyed by. The core group is "". */
export interface GroupResource {
  group: string;
  resource: string;
}

/** `daemonsets.apps`, `pods`: the name Kubernetes uses in messages and the key of maps here. */
export function groupResource(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `apps/v1`, `v1`. */
export function apiVersion(gv: { group: string; version: string }): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** One served version of a resource, as discovery tells it (data/resources.json, or a CustomResourceDefinition). */
export interface ResourceInfo extends GroupResource {
  version: string;
  kind: string;
  namespaced: boolean;
  singular: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  /** kind: [group, version, kind] of what the subresource takes and answers. */
  subresources?: { name: string; verbs: string[]; kind: [string, string, string] }[];
}

/** A Table column: name, type, format, and priority (0 shown, 1 only with -o wide). */
export interface Column {
  name: string;
  type: string;
  format: string;
  priority: number;
  description?: string;
}
