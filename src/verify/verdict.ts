/** Values for the placeholders of a check's texts. */
export type Values = Record<string, string | number | boolean | undefined>;

/** An object of the cluster that a verdict is about: its latest events are shown with a failure. */
export interface ObjectReference {
  kind: string;
  name: string;
  namespace?: string;
  uid?: string;
}

/** The assertion holds. `remark` names a text of the check: right, but worth a word. */
export interface Pass {
  verdict: "pass";
  values: Values;
  remark?: string;
}

/** Settled and wrong: waiting won't change it. `code` names the text that says how. */
export interface Fail {
  verdict: "fail";
  code: string;
  values: Values;
  about?: ObjectReference;
}

/** The controllers are still working; asked again when something changes. `code` names what is waited for. */
export interface Pending {
  verdict: "pending";
  code: string;
  values: Values;
  about?: ObjectReference;
}

/** This cluster keeps no evidence of it: the check's question takes its place. */
export interface Unknown {
  verdict: "unknown";
  values: Values;
}

export type Verdict = Pass | Fail | Pending | Unknown;

/** What a check came to. */
export function pass(values: Values = {}, options: { remark?: string } = {}): Pass {
  return { verdict: "pass", values, ...(options.remark === undefined ? {} : { remark: options.remark }) };
}

/**
 * @param code names the text under `checks.ID.failures` in step.LANG.md
 * @param values fill its placeholders
 * @param options.about the object whose events are shown; by default the one the check read last
 */
export function fail(code: string, values: Values = {}, options: { about?: ObjectReference } = {}): Fail {
  return { verdict: "fail", code, values, ...options };
}

/** Shown as a failure only when it is still so at the deadline. Runner's own codes: `controller`, `rollout`. */
export function pending(code: string, values: Values = {}, options: { about?: ObjectReference } = {}): Pending {
  return { verdict: "pending", code, values, ...options };
}

export function unknown(values: Values = {}): Unknown {
  return { verdict: "unknown", values };
}

/** Thrown by a reader to end a check with a ready-made verdict (an object that is missing, no trace). */
export class VerdictReached extends Error {
  constructor(readonly reached: Verdict) {
    super(`verdict: ${reached.verdict}`);
    this.name = "VerdictReached";
  }
}
