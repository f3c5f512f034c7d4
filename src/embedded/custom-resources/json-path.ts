/**
 * The first value a simple JSONPath leads to, as printer columns use it: `.spec.replicas`, `.status.list[0]`,
 * `.metadata.labels['a/b']`, `.status.conditions[?(@.type=="Ready")].status`. Undefined when there is none.
 */
export function readJsonPath(object: unknown, path: string): unknown {
  let values: unknown[] = [object];
  const steps = path.matchAll(
    /\.([A-Za-z0-9_-]+(?:\\\.[A-Za-z0-9_-]+)*)|\['([^']+)'\]|\[(\d+|\*)\]|\[\?\(@\.([A-Za-z0-9_.]+)\s*==\s*["']([^"']*)["']\)\]/g,
  );
  for (const [, dotted, quoted, index, field, wanted] of steps) {
    const name = (dotted ?? quoted)?.replaceAll("\\.", ".");
    values = values.flatMap((value) => {
      if (name !== undefined) return present((value as Record<string, unknown> | undefined | null)?.[name]);
      if (!Array.isArray(value)) return [];
      if (index === "*") return value;
      if (index !== undefined) return present(value[Number(index)]);
      return value.filter((item) => String(readJsonPath(item, `.${field}`)) === wanted);
    });
  }
  return values[0];
}

function present(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : [value];
}
