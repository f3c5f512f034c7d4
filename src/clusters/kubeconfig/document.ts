import { type Document, isMap, isScalar, isSeq, parseDocument, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { PracticeError } from "../../messages/practice-error.ts";

type List = "clusters" | "contexts" | "users";

/**
 * A kubeconfig as it stands in its file. Only the entries asked for are touched: other entries keep their order,
 * comments, quoting and fields we know nothing of. Scalars are never interpreted (a token `0123` stays as it is).
 */
export class KubeConfigDocument {
  private constructor(
    private readonly document: Document.Parsed,
    readonly file: string,
  ) {}

  /** Throws PracticeError `clusters.kubeconfig.broken` with the line when the text is no kubeconfig. */
  static parse(text: string, file: string): KubeConfigDocument {
    const document = parseDocument(text, { schema: "failsafe", uniqueKeys: false, merge: false });
    const broken = (line: number | string, reason: string) =>
      new PracticeError("environment", "clusters.kubeconfig.broken", { file, line: String(line), reason });
    const error = document.errors[0];
    if (error !== undefined) throw broken(error.linePos?.[0].line ?? 1, error.message.split("\n", 1)[0]!);
    const { contents } = document;
    if (contents !== null && !isMap(contents) && !(isScalar(contents) && contents.value === "")) {
      throw broken(1, "not a mapping");
    }
    return new KubeConfigDocument(document, file);
  }

  get currentContext(): string | undefined {
    return this.text(this.root()?.get("current-context"));
  }

  set currentContext(name: string | undefined) {
    if (name !== undefined) this.rootForWriting().set("current-context", this.scalar(name));
    else if (this.root()?.has("current-context")) this.rootForWriting().set("current-context", this.scalar(""));
  }

  /** The value of an entry (`cluster`, `context` or `user`) as plain data; undefined when there is none. */
  entry(list: List, name: string): Record<string, unknown> | undefined {
    const value = this.find(list, name)?.get(singular(list));
    return isMap(value) ? (value.toJS(this.document) as Record<string, unknown>) : undefined;
  }

  names(list: List): string[] {
    return (this.items(list)?.items ?? []).flatMap((item) => (isMap(item) ? [this.text(item.get("name")) ?? ""] : []));
  }

  /** Adds or replaces an entry. True when that changed anything. */
  put(list: List, name: string, value: Record<string, unknown>): boolean {
    const existing = this.find(list, name);
    if (existing !== undefined && JSON.stringify(sorted(this.entry(list, name))) === JSON.stringify(sorted(value))) {
      return false;
    }
    const node = this.node(value);
    if (existing !== undefined) {
      existing.set(singular(list), node);
      return true;
    }
    const entry = new YAMLMap();
    entry.set(singular(list), node);
    entry.set("name", this.scalar(name));
    const items = this.items(list);
    if (items !== undefined) items.add(entry);
    else {
      const created = new YAMLSeq();
      created.add(entry);
      this.rootForWriting().set(list, created);
    }
    return true;
  }

  /** Sets one field of a context, leaving its others. */
  setNamespace(context: string, namespace: string): boolean {
    const value = this.find("contexts", context)?.get("context");
    if (!isMap(value) || this.text(value.get("namespace")) === namespace) return false;
    value.set("namespace", this.scalar(namespace));
    return true;
  }

  remove(list: List, name: string): boolean {
    const items = this.items(list);
    const entry = this.find(list, name);
    if (items === undefined || entry === undefined) return false;
    items.items = items.items.filter((item) => item !== entry);
    return true;
  }

  toString(): string {
    return this.document.toString({ lineWidth: 0, indentSeq: false, flowCollectionPadding: false });
  }

  private root(): YAMLMap | undefined {
    return isMap(this.document.contents) ? this.document.contents : undefined;
  }

  private rootForWriting(): YAMLMap {
    const root = this.root();
    if (root !== undefined) return root;
    const made = new YAMLMap();
    made.set("apiVersion", this.scalar("v1"));
    made.set("kind", this.scalar("Config"));
    (this.document as Document).contents = made;
    return made;
  }

  private items(list: List): YAMLSeq | undefined {
    const value = this.root()?.get(list);
    return isSeq(value) ? value : undefined;
  }

  private find(list: List, name: string): YAMLMap | undefined {
    return this.items(list)?.items.find((item): item is YAMLMap => isMap(item) && this.text(item.get("name")) === name);
  }

  private text(value: unknown): string | undefined {
    const plain = isScalar(value) ? value.value : value;
    return typeof plain === "string" && plain !== "" ? plain : undefined;
  }

  private node(value: unknown): unknown {
    if (Array.isArray(value)) {
      const list = new YAMLSeq();
      for (const item of value) list.add(this.node(item));
      return list;
    }
    if (typeof value === "object" && value !== null) {
      const map = new YAMLMap();
      for (const [key, item] of Object.entries(value)) if (item !== undefined) map.set(key, this.node(item));
      return map;
    }
    return typeof value === "string" ? this.scalar(value) : this.plain(String(value));
  }

  /** Quoted where kubectl would read a plain one as something other than a string. */
  private scalar(text: string) {
    const scalar = this.plain(text);
    const safe = /^[A-Za-z/][A-Za-z0-9+/=._:@-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
    if (!safe) scalar.type = "QUOTE_DOUBLE";
    return scalar;
  }

  private plain(text: string) {
    const scalar = new Scalar(text);
    scalar.type = "PLAIN";
    return scalar;
  }
}

function singular(list: List): "cluster" | "context" | "user" {
  return list.slice(0, -1) as "cluster" | "context" | "user";
}

/** Values as failsafe YAML has them (all strings), keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
