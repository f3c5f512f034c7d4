import { internalPodSpec } from "../../pod-spec/internal-form.ts";
import { unifiedDiff } from "../../text/unified-diff.ts";

/**
 * The difference between two Pod specs as the API server shows it when an update changes what may not change: a
 * unified diff of its internal form, with Go's field names and every unset field.
 */
export function podSpecDiff(old: object, spec: object): string {
  return unifiedDiff(internalText(old), internalText(spec));
}

function internalText(spec: object): string {
  const text = JSON.stringify(internalPodSpec(spec), null, 1);
  return text.replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
