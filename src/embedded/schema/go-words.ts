/** What encoding/json calls a JSON value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "number":
      return "number";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return "object";
  }
}

/** `io.k8s.api.core.v1.Container` → `Container`, or, with its package, `v1.Container`. */
export function goStruct(typeName: string, withPackage: boolean): string {
  const parts = typeName.split(".");
  return withPackage ? parts.slice(-2).join(".") : parts.at(-1)!;
}

/** A number as it stands in a Go JSON error. */
export function goNumber(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** A value as fmt's %+v or %v prints what encoding/json made of it: `map[a:1 b:[x y]]`. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `map[${entries.map(([k, v]) => `${k}:${goPrint(v)}`).join(" ")}]`;
  }
  return typeof value === "number" ? goNumber(value) : String(value);
}

/** JSON whose keys are in order, as Go marshals a map; equal values have equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === "object" && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}
