import type { CheckResult, Outcome, StepResult, SubmissionResult, TaskResult } from "../result.ts";
import { html as escape } from "./escape.ts";
import { style } from "./html-style.ts";
import type { Reporter, Words } from "./reporter.ts";
import { lastLines } from "./text.ts";

const marks: Record<Outcome, string> = { passed: "✔", failed: "✘", blocked: "·", error: "!" };

/**
 * One self-contained page for a teacher: students × steps, then each check's expected and observed with the evidence.
 * No script, no outside resource; a Content-Security-Policy says so to the browser as well.
 */
export const html: Reporter = (result, { words, language }) => {
  const steps = allSteps(result.submissions);
  return `<!doctype html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(words("grade.title"))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(words("grade.title"))}</h1>
<p class="facts">${escape(words("grade.facts", { version: result.runner.version, finished: result.finished, submissions: result.submissions.length }))}</p>
<div class="wide"><table class="matrix">
<thead><tr><th scope="col">${escape(words("grade.column.submission"))}</th><th scope="col">${escape(words("grade.column.points"))}</th>${steps.map((s) => `<th scope="col"><small>${escape(s.task)}</small><br>${escape(s.title)}</th>`).join("")}</tr></thead>
<tbody>
${result.submissions.map((submission, index) => matrixRow(submission, index, steps, words)).join("\n")}
</tbody>
</table></div>
${result.submissions.map((submission, index) => submissionSection(submission, index, words)).join("\n")}
</main>
</body>
</html>
`;
};

interface StepColumn {
  task: string;
  step: string;
  title: string;
}

function allSteps(submissions: readonly SubmissionResult[]): StepColumn[] {
  const columns = new Map<string, StepColumn>();
  for (const submission of submissions)
    for (const task of submission.tasks)
      for (const step of task.steps)
        columns.set(`${task.task}/${step.step}`, { task: task.task, step: step.step, title: step.title });
  return [...columns.values()];
}

function matrixRow(submission: SubmissionResult, index: number, columns: StepColumn[], words: Words): string {
  const cells = columns.map(({ task, step }) => {
    const found = submission.tasks.find((t) => t.task === task)?.steps.find((s) => s.step === step);
    if (!found) return "<td></td>";
    const text = found.outcome === "error" ? "" : ` ${found.points.earned}/${found.points.possible}`;
    return `<td class="${found.outcome}" title="${escape(outcomeWord(found.outcome, words))}">${marks[found.outcome]}${text}</td>`;
  });
  const points =
    submission.outcome === "error"
      ? escape(words("grade.outcome.error"))
      : `${submission.points.earned} / ${submission.points.possible}`;
  return `<tr><th scope="row"><a href="#s${index}">${escape(submission.submission)}</a></th><td class="${submission.outcome}">${points}</td>${cells.join("")}</tr>`;
}

function submissionSection(submission: SubmissionResult, index: number, words: Words): string {
  return `<section id="s${index}">
<h2>${escape(submission.submission)}</h2>
${submission.remarks.map((r) => `<p class="remark">${escape(r)}</p>`).join("\n")}
${submission.tasks.map((task) => taskPart(task, words)).join("\n")}
</section>`;
}

function taskPart(task: TaskResult, words: Words): string {
  const facts = `${task.cluster.kind} ${task.cluster.version} · ${task.seconds.toFixed(1)} s · ${task.taskHash.slice(0, 12)}`;
  return `<h3>${escape(task.title)} <small>${escape(facts)}</small></h3>
${task.steps.map((step) => stepPart(step, words)).join("\n")}`;
}

function stepPart(step: StepResult, words: Words): string {
  const output = step.script?.output.trim() ?? "";
  const cut = step.script && step.script.cut > 0 ? `\n${words("grade.output-cut", { bytes: step.script.cut })}` : "";
  return `<details${step.outcome === "passed" ? "" : " open"}>
<summary class="${step.outcome}">${marks[step.outcome]} ${escape(step.title)} <span class="points">${step.outcome === "error" ? escape(outcomeWord("error", words)) : `${step.points.earned} / ${step.points.possible}`}</span></summary>
${step.message === undefined ? "" : `<p>${escape(step.message)}</p>`}
${step.checks.map((check) => checkPart(check, words, step.message)).join("\n")}
${output === "" ? "" : `<h4>${escape(words("grade.script-output", { file: step.script?.file ?? "" }))}</h4><pre>${escape(lastLines(output, 40).join("\n") + cut)}</pre>`}
</details>`;
}

function checkPart(check: CheckResult, words: Words, said: string | undefined): string {
  const rows: [string, string | undefined][] = [
    [words("grade.expected"), check.expected],
    [words("grade.observed"), check.observed],
  ];
  const table = rows
    .filter((row): row is [string, string] => row[1] !== undefined)
    .map(([name, value]) => `<tr><th scope="row">${escape(name)}</th><td>${escape(value)}</td></tr>`)
    .join("");
  return `<div class="check ${check.outcome}">
<p><span class="mark">${marks[check.outcome]}</span> ${escape(check.title)} <span class="points">${check.points.earned} / ${check.points.possible}</span></p>
${check.message === undefined || check.message === said ? "" : `<p class="message">${escape(check.message)}</p>`}
${table === "" ? "" : `<table>${table}</table>`}
${check.why === undefined ? "" : `<p>${escape(check.why)}</p>`}
${check.command === undefined ? "" : `<pre>$ ${escape(check.command)}</pre>`}
${check.events === undefined || check.events.length === 0 ? "" : `<h4>${escape(words("grade.events"))}</h4><pre>${escape(check.events.join("\n"))}</pre>`}
</div>`;
}

function outcomeWord(outcome: Outcome, words: Words): string {
  return words(`grade.outcome.${outcome}`);
}
