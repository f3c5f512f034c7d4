import {
  type CheckResult,
  combine,
  type Outcome,
  type StepResult,
  type SubmissionResult,
  type TaskResult,
} from "../result.ts";
import { xml } from "./escape.ts";
import type { Reporter, Words } from "./reporter.ts";

/**
 * JUnit XML as GitHub, GitLab and Jenkins read it (Jenkins: junit-10.xsd of its xunit plugin): a suite for each
 * submission's task, a case for each check, the script's output on the step's first case.
 */
export const junit: Reporter = (result, { words }) => {
  const suites = result.submissions.flatMap((submission) =>
    submission.tasks.length > 0
      ? submission.tasks.map((task) => suite(submission, task, words))
      : [emptySuite(submission)],
  );
  const total = (name: "tests" | "failures" | "errors" | "seconds") => suites.reduce((sum, s) => sum + s[name], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="k8s-practice" tests="${total("tests")}" failures="${total("failures")}" errors="${total("errors")}" time="${time(total("seconds"))}">`,
    ...suites.map((s) => s.text),
    "</testsuites>",
    "",
  ].join("\n");
};

interface Suite {
  text: string;
  tests: number;
  failures: number;
  errors: number;
  seconds: number;
}

function suite(submission: SubmissionResult, task: TaskResult, words: Words): Suite {
  const name = `${task.task} · ${submission.submission}`;
  const cases = task.steps.flatMap((step) =>
    casesOf(step).map((check, index) => ({
      outcome: check.outcome,
      text: testcase(name, step, check, index === 0, words),
    })),
  );
  const count = (outcome: Outcome) => cases.filter((c) => c.outcome === outcome).length;
  const properties: [string, string][] = [
    ["submission", submission.submission],
    ["points", `${task.points.earned}`],
    ["max-points", `${task.points.possible}`],
    ["task-hash", task.taskHash],
    ["cluster", `${task.cluster.kind} ${task.cluster.version}`],
  ];
  return {
    tests: cases.length,
    failures: count("failed"),
    errors: count("error"),
    seconds: task.seconds,
    text: [
      `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${count("failed")}" errors="${count("error")}" skipped="${count("blocked")}" time="${time(task.seconds)}">`,
      "    <properties>",
      ...properties.map(([key, value]) => `      <property name="${key}" value="${xml(value)}"/>`),
      "    </properties>",
      ...cases.map((c) => c.text),
      "  </testsuite>",
    ].join("\n"),
  };
}

/** A step that could not be judged has no checks: it counts as one case, so that it can't go unseen. */
function casesOf(step: StepResult): CheckResult[] {
  const judged = step.checks.length > 0 && combine(step.checks.map((c) => c.outcome)) === step.outcome;
  if (judged) return step.checks;
  return [
    { id: "step", title: step.title, outcome: step.outcome, points: step.points, message: step.message },
    ...step.checks,
  ];
}

function testcase(suiteName: string, step: StepResult, check: CheckResult, first: boolean, words: Words): string {
  const head = `    <testcase classname="${xml(`${suiteName}.${step.step}`)}" name="${xml(`${check.id}: ${check.title}`)}" time="${time(first ? step.seconds : 0)}"`;
  const body = [verdict(check, words)];
  if (first && step.script) {
    const cut = step.script.cut > 0 ? `\n${words("grade.output-cut", { bytes: step.script.cut })}\n` : "";
    body.push(`      <system-out>${xml(step.script.output + cut)}</system-out>`);
  }
  const inner = body.filter((line) => line !== "");
  return inner.length === 0 ? `${head}/>` : [`${head}>`, ...inner, "    </testcase>"].join("\n");
}

function verdict(check: CheckResult, words: Words): string {
  const message = xml(check.message ?? check.title);
  const detail = xml(
    [
      check.expected === undefined ? "" : `${words("grade.expected")}: ${check.expected}`,
      check.observed === undefined ? "" : `${words("grade.observed")}: ${check.observed}`,
      check.why ?? "",
      check.command === undefined ? "" : `$ ${check.command}`,
      ...(check.events ?? []),
    ]
      .filter((line) => line !== "")
      .join("\n"),
  );
  switch (check.outcome) {
    case "passed":
      return "";
    case "failed":
      return `      <failure type="${xml(check.id)}" message="${message}">${detail}</failure>`;
    case "error":
      return `      <error type="${xml(check.id)}" message="${message}">${detail}</error>`;
    case "blocked":
      return `      <skipped message="${message}"/>`;
  }
}

function emptySuite(submission: SubmissionResult): Suite {
  const message = xml(submission.remarks.join("\n"));
  const name = xml(submission.submission);
  return {
    tests: 1,
    failures: 0,
    errors: 1,
    seconds: 0,
    text: [
      `  <testsuite name="${name}" tests="1" failures="0" errors="1" skipped="0" time="0.000">`,
      `    <testcase classname="${name}" name="submission" time="0.000">`,
      `      <error type="submission" message="${message}"/>`,
      "    </testcase>",
      "  </testsuite>",
    ].join("\n"),
  };
}

/** Seconds with three decimals and no grouping, as Surefire's SUREFIRE_TIME allows. */
function time(seconds: number): string {
  return seconds.toFixed(3);
}
