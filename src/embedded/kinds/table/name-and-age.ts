import { ageSince } from "../../api/duration.ts";
import type { KubeObject } from "../../api/object.ts";

/** Cells of kinds that show a few values between NAME and AGE. */
export function nameAndAge<T extends KubeObject>(
  between: (object: T) => unknown[] = () => [],
): (object: T, now: number) => unknown[] {
  return (object, now) => [object.metadata.name, ...between(object), ageSince(object.metadata.creationTimestamp, now)];
}
