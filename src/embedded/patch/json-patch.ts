import { copy, equal } from "../api/object.ts";
import { MalformedPatchError, PatchError } from "./patch-error.ts";

interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/**
 * JSON patch (RFC 6902). Returns a new document.
 *
 * @throws MalformedPatchError when the patch is no list of operations
 * @throws PatchError when an operation does not fit the document (a path that is not there, a test that fails)
 */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw new MalformedPatchError("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  }
  const root = { document: copy(document) };
  for (const operation of patch as Operation[]) apply(root, operation);
  return root.document;
}

function apply(root: { document: unknown }, operation: Operation): void {
  const path = pointer(operation.path);
  switch (operation.op) {
    case "add":
      add(root, path, valueOf(operation));
      return;
    case "remove":
      remove(root, path);
      return;
    case "replace":
      read(root, path);
      if (path.length > 0) removeOrKeep(root, path);
      add(root, path, valueOf(operation));
      return;
    case "move": {
      const from = pointer(operation.from);
      const value = read(root, from);
      remove(root, from);
      add(root, path, value);
      return;
    }
    case "copy":
      add(root, path, copy(read(root, pointer(operation.from))));
      return;
    case "test": {
      const found = tryRead(root, path);
      if (!equal(found ?? null, operation.value ?? null)) {
        throw new PatchError(`testing value ${operation.path} failed`);
      }
      return;
    }
    default:
      throw new PatchError(`Unexpected kind: ${operation.op}`);
  }
}

function pointer(path: string | undefined): string[] {
  if (path === undefined || path === null) throw new PatchError("missing path");
  if (path === "") return [];
  if (!path.startsWith("/")) throw new PatchError(`path ${path} does not begin with /`);
  return path
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueOf(operation: Operation): unknown {
  if (!("value" in operation)) throw new PatchError(`operation ${operation.op} on ${operation.path} has no value`);
  return copy(operation.value);
}

function parentOf(root: { document: unknown }, path: string[]): { parent: unknown; key: string } {
  return { parent: read(root, path.slice(0, -1)), key: path.at(-1)! };
}

function tryRead(root: { document: unknown }, path: string[]): unknown {
  let value = root.document;
  for (const key of path) {
    if (Array.isArray(value)) value = value[index(key, value.length - 1)];
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, key)) {
      value = (value as Record<string, unknown>)[key];
    } else return undefined;
  }
  return value;
}

function read(root: { document: unknown }, path: string[]): unknown {
  const value = tryRead(root, path);
  if (value === undefined) throw new PatchError(`no such path: /${path.join("/")}`);
  return value;
}

function add(root: { document: unknown }, path: string[], value: unknown): void {
  if (path.length === 0) {
    root.document = value;
    return;
  }
  const { parent, key } = parentOf(root, path);
  if (Array.isArray(parent)) parent.splice(key === "-" ? parent.length : index(key, parent.length), 0, value);
  else if (typeof parent === "object" && parent !== null) (parent as Record<string, unknown>)[key] = value;
  else throw new PatchError(`/${path.join("/")} is below a value that holds none`);
}

function remove(root: { document: unknown }, path: string[]): void {
  read(root, path);
  removeOrKeep(root, path);
}

function removeOrKeep(root: { document: unknown }, path: string[]): void {
  const { parent, key } = parentOf(root, path);
  if (Array.isArray(parent)) parent.splice(index(key, parent.length - 1), 1);
  else delete (parent as Record<string, unknown>)[key];
}

/** An index up to `last`; negative ones count from the end, as the server's library has it. */
function index(key: string, last: number): number {
  const value = /^-?(0|[1-9]\d*)$/.test(key) ? Number(key) : Number.NaN;
  const positive = value < 0 ? last + 1 + value : value;
  if (!(positive >= 0 && positive <= last)) throw new PatchError(`index ${key} is out of bounds`);
  return positive;
}
