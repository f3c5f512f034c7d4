import { createHash } from "node:crypto";
import { sortedJson } from "../../schema/go-words.ts";

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * A short hash of a template, in the alphabet and length of Kubernetes' own (a 32-bit number, each decimal digit a
 * letter); `collisions` makes another one when two templates meet.
 */
export function revisionHash(template: unknown, collisions: number | undefined): string {
  const digest = createHash("sha256").update(sortedJson(template));
  if (collisions !== undefined) digest.update(String(collisions));
  const number = digest.digest().readUInt32BE(0);
  return [...String(number)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}
