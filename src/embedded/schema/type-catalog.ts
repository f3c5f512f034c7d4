import typesJson from "../../../data/types.json" with { type: "json" };
import type { TypeSchema } from "./type-schema.ts";

const builtIn = typesJson as unknown as Readonly<Record<string, TypeSchema>>;
const builtInByKind = new Map<string, string>();
for (const [name, schema] of Object.entries(builtIn)) {
  if (schema.gvk) builtInByKind.set(kindKey(...schema.gvk), name);
}

/** The types of one cluster: those of Kubernetes, shared by all clusters, and those of its CustomResourceDefinitions. */
export class TypeCatalog {
  private readonly custom = new Map<string, TypeSchema>();
  private readonly customByKind = new Map<string, string>();

  /** The type called `name`. Throws for a name that there is not: a mistake in the data. */
  get(name: string): TypeSchema {
    const schema = this.custom.get(name) ?? builtIn[name];
    if (schema === undefined) throw new Error(`unknown type ${name}`);
    return schema;
  }

  /** A field's own schema, or, where it refers to a type, that type. */
  resolve(schema: TypeSchema): TypeSchema {
    return schema.ref === undefined ? schema : this.get(schema.ref);
  }

  /** The name of a kind's type; undefined when no such kind is served. */
  nameOf(group: string, version: string, kind: string): string | undefined {
    const key = kindKey(group, version, kind);
    return this.customByKind.get(key) ?? builtInByKind.get(key);
  }

  addCustom(name: string, gvk: [string, string, string], schema: TypeSchema): void {
    this.custom.set(name, { ...schema, gvk });
    this.customByKind.set(kindKey(...gvk), name);
  }

  removeCustom(name: string): void {
    const schema = this.custom.get(name);
    if (schema?.gvk) this.customByKind.delete(kindKey(...schema.gvk));
    this.custom.delete(name);
  }

  /** Whether a type is that of a CustomResourceDefinition. */
  isCustom(name: string): boolean {
    return this.custom.has(name);
  }

  /** Every built-in type by name. */
  builtIn(): Readonly<Record<string, TypeSchema>> {
    return builtIn;
  }
}

function kindKey(group: string, version: string, kind: string): string {
  return `${group}/${version}/${kind}`;
}
