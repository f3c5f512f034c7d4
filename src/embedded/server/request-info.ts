import type { ResourceInfo } from "../api/resource.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** What a request path is about. https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris */
export interface RequestInfo {
  info: ResourceInfo;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
  /** What follows a proxy subresource. */
  rest: string[];
}

/** The resource a path names; undefined for a path that is none. `/watch/` of old is read too. */
export function parsePath(pathname: string, resources: ResourceIndex): RequestInfo | undefined {
  const parts = pathname.split("/").filter((part) => part !== "");
  let group = "";
  let version: string | undefined;
  if (parts[0] === "api") [, version] = parts.splice(0, 2);
  else if (parts[0] === "apis") [, group = "", version] = parts.splice(0, 3);
  if (version === undefined || parts.length === 0) return undefined;
  let namespace: string | undefined;
  if (parts[0] === "namespaces" && parts.length > 2 && !isNamespaceSubresource(parts[2]!, parts.length)) {
    [, namespace] = parts.splice(0, 2);
  }
  const [resource = "", name, subresource, ...rest] = parts;
  const info = resources.find(group, version, resource);
  if (info === undefined || (namespace !== undefined && !info.namespaced)) return undefined;
  // A namespaced object can't be named without its namespace.
  if (info.namespaced && namespace === undefined && name !== undefined) return undefined;
  return { info, namespace, name, subresource, rest };
}

function isNamespaceSubresource(part: string, length: number): boolean {
  return length === 3 && (part === "status" || part === "finalize");
}

/** The request's verb as audit events and authorization know it. */
export function verbOf(method: string, info: RequestInfo, query: URLSearchParams): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (isTrue(query.get("watch"))) return "watch";
      return info.name === undefined ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return info.name === undefined ? "deletecollection" : "delete";
    default:
      return method.toLowerCase();
  }
}

export function isTrue(value: string | null): boolean {
  return value === "true" || value === "1";
}
