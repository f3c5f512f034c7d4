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
  return isLeaf(set);
}

/** All members of both. Answers `a` itself where `b` adds nothing: sets that are handed out are never changed. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  let out: FieldSet | undefined;
  for (const element in b) {
    const mine = a[element];
    const next = mine === undefined ? b[element]! : element === self ? mine : unionNode(mine, b[element]!);
    if (next === mine) continue;
    out ??= { ...a };
    out[element] = next;
  }
  return out ?? a;
}

/** Two nodes: either may be a member on its own, which a node with children says with `.`. */
function unionNode(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(a)) return isLeaf(b) || self in b ? (isLeaf(b) ? a : b) : { ...b, [self]: leaf };
  if (isLeaf(b)) return self in a ? a : { ...a, [self]: leaf };
  return union(a, b);
}

/** The members of `a` that are not members of `b`; `a` itself where none is. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (there) => !isMember(there));
}

/** The members of `a` that are neither members of `b` nor inside one; `a` itself where none is. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, (there) => (isMember(there) ? undefined : true));
}

/**
 * @param keeps of a node of `b`: whether the same node of `a` stays a member; undefined: it goes with all inside it
 */
function without(a: FieldSet, b: FieldSet, keeps: (there: FieldSet) => boolean | undefined): FieldSet {
  let out: FieldSet | undefined;
  for (const element in a) {
    if (element === self) continue;
    const there = b[element];
    if (there === undefined) continue;
    const mine = a[element]!;
    const next = nodeWithout(mine, there, keeps);
    if (next === mine) continue;
    out ??= { ...a };
    if (next === undefined) delete out[element];
    else out[element] = next;
  }
  return out ?? a;
}

function nodeWithout(a: FieldSet, b: FieldSet, keeps: (there: FieldSet) => boolean | undefined): FieldSet | undefined {
  const stays = keeps(b);
  if (stays === undefined) return undefined;
  if (isLeaf(a)) return stays ? a : undefined;
  let rest = without(a, b, keeps);
  if (!stays && self in rest) {
    const { [self]: _, ...children } = rest;
    rest = children;
  }
  if (!isLeaf(rest)) return Object.keys(rest).length === 1 && self in rest ? leaf : rest;
  return undefined;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: FieldSet = {};
  for (const element in a) {
    const there = b[element];
    if (there === undefined || element === self) continue;
    const mine = a[element]!;
    const children = isLeaf(mine) || isLeaf(there) ? {} : intersection(mine, there);
    const both = isMember(mine) && isMember(there);
    if (isLeaf(children)) {
      if (both) out[element] = leaf;
    } else out[element] = both ? { ...children, [self]: leaf } : children;
  }
  return out;
}

function isMember(node: FieldSet): boolean {
  return isLeaf(node) || self in node;
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
