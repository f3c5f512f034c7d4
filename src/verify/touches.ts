/**
 * Does a request's body set the field at `path` (`["spec", "replicas"]`)? Reads whole objects, merge, strategic merge
 * and apply patches, and JSON patches (add and replace, of the field itself or of a parent that carries it). A null in
 * a merge patch removes a field and so does not count.
 */
export function touches(body: unknown, path: readonly string[]): boolean {
  if (Array.isArray(body)) return body.some((operation) => operationTouches(operation as JsonPatchOperation, path));
  let value: unknown = body;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value !== null;
}

interface JsonPatchOperation {
  op?: string;
  path?: string;
  value?: unknown;
}

function operationTouches({ op, path: pointer, value }: JsonPatchOperation, path: readonly string[]): boolean {
  if ((op !== "add" && op !== "replace") || typeof pointer !== "string") return false;
  // RFC 6901: ~1 is "/", ~0 is "~".
  const at =
    pointer === ""
      ? []
      : pointer
          .slice(1)
          .split("/")
          .map((p) => p.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (at.length > path.length) return false;
  return at.every((name, i) => name === path[i]) && touches(value, path.slice(at.length));
}
