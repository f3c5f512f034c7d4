import type { V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";

/** The CONTAINERS and IMAGES cells of `-o wide`. */
export function containerCells(template: Wire<V1PodTemplateSpec> | undefined): [names: string, images: string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map((c) => c.name).join(","), containers.map((c) => c.image ?? "").join(",")];
}
