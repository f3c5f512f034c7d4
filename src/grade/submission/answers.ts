import { parse } from "yaml";
import { PracticeError } from "../../messages/practice-error.ts";

/**
 * A submission's answers.yaml: the answers to questions, by step folder name or number, on the top level or under the
 * task's name. Returns undefined for a step without one.
 *
 * Throws PracticeError (usage) when the file is not YAML or not a map; it is the student's file.
 */
export function answerFor(text: string, task: string, step: string, number: number): string | undefined {
  let answers: unknown;
  try {
    answers = parse(text, { maxAliasCount: 10 });
  } catch (error) {
    throw new PracticeError("usage", "grade.answers-broken", { reason: (error as Error).message });
  }
  if (answers === null) return undefined;
  if (!isMap(answers)) throw new PracticeError("usage", "grade.answers-broken", { reason: "not a map" });
  const own = isMap(answers[task]) ? answers[task] : answers;
  for (const key of [step, String(number), String(number).padStart(2, "0")]) {
    const answer = own[key];
    if (typeof answer === "string" || typeof answer === "number" || typeof answer === "boolean") return String(answer);
  }
  return undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
