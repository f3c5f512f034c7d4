import { randomInt } from "node:crypto";

/** No vowels and no digits that look like letters: five characters that spell nothing (apimachinery, util/rand). */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

export function randomSuffix(length = 5): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
