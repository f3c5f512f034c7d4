/**
 * A set of fields of an object, in the form of FieldsV1: a tree whose edges are path elements (`f:image`,
 * `k:{"name":"agent"}`, `v:"x"`) and where a node is in the set when it has no children, or `.` among them
 * (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta, managedFields.fieldsV1).
 */
export interface FieldSet {
  [element: string]: FieldSet;
}

const self = ".";
const leaf: FieldSet = Object.freeze({});

/** Adds the field at `path` (no elements: nothing). Changes `set`. */
export function insert(set: FieldSet, path: readonly string[]): void {
  let node = set;
  for (const [depth, element] of path.entries()) {
    const child = node[element];
    const last = depth === path.length - 1;
    if (child === undefined) node[element] = {};
    else if (last) {
      if (!isLeaf(child)) child[self] = leaf;
      return;
    } else if (isLeaf(child)) {
      // It was a member on its own: that stays true beside its new children.
      child[self] = leaf;
    }
    node = node[element]!;
  }
}

export function isEmpty(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = {};
  for (const path of paths(a)) insert(out, path);
  for (const path of paths(b)) insert(out, path);
  return out;
}

/** The members of `a` that are not members of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = {};
  for (const path of paths(a)) if (!has(b, path)) insert(out, path);
  return out;
}

/** The members of `a` that are neither members of `b` nor inside one. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = {};
  for (const path of paths(a)) if (!path.some((_, depth) => has(b, path.slice(0, depth + 1)))) insert(out, path);
  return out;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = {};
  for (const path of paths(a)) if (has(b, path)) insert(out, path);
  return out;
}

export function has(set: FieldSet, path: readonly string[]): boolean {
  const node = at(set, path);
  return node !== undefined && path.length > 0 && (isLeaf(node) || self in node);
}

/** The subtree below `path`; undefined when nothing there is in the set. */
export function at(set: FieldSet, path: readonly string[]): FieldSet | undefined {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return node;
}

/** Every member's path, parents before children, in the order of their elements. */
export function* paths(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const element of Object.keys(set).sort()) {
    if (element === self) {
      yield prefix;
      continue;
    }
    const child = set[element]!;
    const path = [...prefix, element];
    if (isLeaf(child)) yield path;
    else yield* paths(child, path);
  }
}

/** With sorted keys, as FieldsV1 is written. */
export function toFieldsV1(set: FieldSet): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const element of Object.keys(set).sort()) out[element] = toFieldsV1(set[element]!);
  return out;
}

/** `.spec.template.spec.containers[name="agent"].image`, as conflicts name a field. */
export function showPath(path: readonly string[]): string {
  return path
    .map((element) => {
      const value = element.slice(2);
      switch (element[0]) {
        case "k":
          return `[${Object.entries(JSON.parse(value) as Record<string, unknown>)
            .map(([key, v]) => `${key}=${JSON.stringify(v)}`)
            .join(",")}]`;
        case "v":
          return `[=${value}]`;
        case "i":
          return `[${value}]`;
        default:
          return `.${value}`;
      }
    })
    .join("");
}

function isLeaf(node: FieldSet): boolean {
  for (const _ in node) return false;
  return true;
}
