import { apiError } from "../api/api-error.ts";
import type { NodeShape } from "../api/node-shape.ts";

export interface NodeActions {
  add(shape: NodeShape): void;
  stop(name: string): void;
  start(name: string): void;
  remove(name: string): void;
}

/** `POST /k8s-practice/nodes/NAME/{add,stop,start,remove}`: what the runner does to machines; not Kubernetes' API. */
export function nodeAction(parts: readonly string[], body: unknown, nodes: NodeActions, method: string): unknown {
  const [, collection, name = "", action] = parts;
  if (method !== "POST" || collection !== "nodes" || parts.length !== 4) return undefined;
  switch (action) {
    case "add":
      nodes.add({ controlPlane: false, ...(body as Partial<NodeShape> | undefined), name });
      break;
    case "stop":
    case "start":
    case "remove":
      nodes[action](name);
      break;
    default:
      throw apiError.noSuchPath();
  }
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
}
