/** The words of a step in one language: step.LANG.md. Texts are ICU messages; verdicts' values fill their placeholders. */
export interface StepText {
  title: string;
  /** In the order they are given. */
  hints: string[];
  checks: Record<string, CheckText>;
  /** The instructions, Markdown. */
  body: string;
}

export interface CheckText {
  title: string;
  /** By a fail's or pending's code. */
  failures: Record<string, FailureText>;
  /** By a pass's remark. */
  remarks: Record<string, string>;
  question?: { text: string; choices: Record<string, string> };
}

export interface FailureText {
  message: string;
  expected?: string;
  observed?: string;
  why?: string;
  /** The kubectl command that shows it. */
  command?: string;
}
