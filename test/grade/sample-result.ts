import type { CheckResult, GradeResult, StepResult } from "../../src/grade/result.ts";

/** What a hostile student puts wherever a submission can put text. */
export const hostile = `<script>alert(1)</script> =cmd()|' /C calc'!A0 ]]> \u0000\u001b[2J ::error::forged # SKIP | [x](javascript:1) "q" 'q' \`b\``;

function check(id: string, outcome: CheckResult["outcome"], more: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    title: `The check ${id}`,
    outcome,
    points: { earned: outcome === "passed" ? 1 : 0, possible: 1 },
    ...more,
  };
}

function step(
  name: string,
  outcome: StepResult["outcome"],
  checks: CheckResult[],
  more: Partial<StepResult> = {},
): StepResult {
  const earned = checks.filter((c) => c.outcome === "passed").length;
  return {
    step: name,
    title: `Step ${name}`,
    outcome,
    points: { earned, possible: checks.length },
    seconds: 0.25,
    checks,
    ...more,
  };
}

/** Three students: one passes, one fails in every way and is hostile about it, one could not be graded. */
export function sampleResult(): GradeResult {
  const task = {
    task: "k8s-daemonset",
    title: "A Pod on every node",
    taskHash: "0123456789abcdef".repeat(4),
    cluster: { kind: "embedded", version: "v1.36.2" },
    tries: 1,
  };
  return {
    schema: "k8s-practice/grade/v1",
    runner: { version: "0.1.0" },
    started: "2026-12-01T10:00:00Z",
    finished: "2026-12-01T10:00:09Z",
    submissions: [
      {
        submission: "ada",
        outcome: "passed",
        points: { earned: 2, possible: 2 },
        remarks: [],
        tasks: [
          {
            ...task,
            outcome: "passed",
            points: { earned: 2, possible: 2 },
            seconds: 1.5,
            steps: [step("01-first", "passed", [check("a", "passed"), check("b", "passed")])],
          },
        ],
      },
      {
        submission: hostile,
        outcome: "failed",
        points: { earned: 1, possible: 3 },
        remarks: [`left out: ${hostile}`],
        tasks: [
          {
            ...task,
            outcome: "failed",
            points: { earned: 1, possible: 3 },
            seconds: 2.25,
            steps: [
              step(
                "01-first",
                "failed",
                [
                  check("a", "passed"),
                  check("b", "failed", {
                    message: `DESIRED is ${hostile}`,
                    expected: "2",
                    observed: hostile,
                    why: "A DaemonSet has no replicas.",
                    command: "kubectl get daemonset node-agent",
                    events: ["Warning FailedCreate daemonset-controller: no"],
                  }),
                  check("c", "blocked", { message: "waits for b" }),
                ],
                {
                  script: {
                    file: `${hostile}.sh`,
                    exitCode: 1,
                    timedOut: false,
                    output: `line\r\n${hostile}\n`,
                    cut: 3,
                  },
                },
              ),
            ],
          },
        ],
      },
      {
        submission: "grace",
        outcome: "error",
        points: { earned: 0, possible: 1 },
        remarks: [],
        tasks: [
          {
            ...task,
            outcome: "error",
            points: { earned: 0, possible: 1 },
            seconds: 0.5,
            tries: 2,
            steps: [
              step("01-first", "error", [check("a", "error", { message: "the cluster died" })], {
                message: "the cluster died",
              }),
            ],
          },
        ],
      },
    ],
  };
}
