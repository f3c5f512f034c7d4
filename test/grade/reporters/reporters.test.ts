import { readFileSync } from "node:fs";
import { parse as parseCsv } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { memoryPages, validateXML } from "xmllint-wasm";
import { githubOutputs, githubSummary } from "../../../src/grade/reporters/github.ts";
import { reporters } from "../../../src/grade/reporters/index.ts";
import type { ReportContext } from "../../../src/grade/reporters/reporter.ts";
import { loadTranslator } from "../../../src/messages/translator.ts";
import { hostile, sampleResult } from "../sample-result.ts";

const say = await loadTranslator("en");
const context: ReportContext = { words: (key, values) => say({ key, values }), language: "en", env: {} };

describe("junit", () => {
  test("is valid against the schema that Jenkins uses, whatever a submission puts into it", async () => {
    const xml = reporters.junit(sampleResult(), context);
    const schema = readFileSync(new URL("../junit.xsd", import.meta.url), "utf8");
    const outcome = await validateXML({
      xml: [{ fileName: "report.xml", contents: xml }],
      schema: [{ fileName: "junit.xsd", contents: schema }],
      initialMemoryPages: memoryPages.MiB * 16,
    });
    expect(outcome.errors).toEqual([]);
    expect(outcome.valid).toBe(true);
  });

  test("counts a failure for the student, an error for us, and skips what was blocked", () => {
    const xml = reporters.junit(sampleResult(), context);
    expect(xml).toContain('<testsuites name="k8s-practice" tests="6" failures="1" errors="1"');
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml.match(/<error /g)).toHaveLength(1);
    expect(xml.match(/<skipped /g)).toHaveLength(1);
  });

  test("has a failing case for a submission that has no task at all", () => {
    const result = sampleResult();
    result.submissions = [
      { submission: "empty", outcome: "error", points: { earned: 0, possible: 0 }, tasks: [], remarks: ["no script"] },
    ];
    expect(reporters.junit(result, context)).toContain('<error type="submission" message="no script"/>');
  });
});

describe("html", () => {
  test("shows a hostile name as text and runs nothing", () => {
    const page = reporters.html(sampleResult(), context);
    expect(page).not.toMatch(/<script/i);
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(page).toContain("default-src 'none'");
  });

  test("never shows an error of ours as 0 points", () => {
    const row = reporters
      .html(sampleResult(), context)
      .split("\n")
      .find((line) => line.includes('href="#s2"'));
    expect(row).toContain("not graded");
    expect(row).not.toMatch(/>0 \/ 1</);
  });
});

describe("csv", () => {
  test("has a row for each student and no cell that a spreadsheet would compute", () => {
    const rows = parseCsv(reporters.csv(sampleResult(), context), { columns: true }) as Record<string, string>[];
    expect(rows.map((r) => r.submission)).toEqual(["ada", hostile, "grace"]);
    const dangerous = parseCsv(
      reporters.csv(
        { ...sampleResult(), submissions: [{ ...sampleResult().submissions[0]!, submission: "=cmd()" }] },
        context,
      ),
    ) as string[][];
    expect(dangerous[1]![0]).toBe("'=cmd()");
  });

  test("leaves the points of an ungraded submission empty", () => {
    const rows = parseCsv(reporters.csv(sampleResult(), context), { columns: true }) as Record<string, string>[];
    expect(rows[2]).toMatchObject({ outcome: "error", points: "", max_points: "1" });
    expect(rows[1]).toMatchObject({ outcome: "failed", points: "1", max_points: "3" });
  });
});

describe("tap", () => {
  test("numbers every point, and a submission can't forge a directive", () => {
    const lines = reporters.tap(sampleResult(), context).split("\n");
    expect(lines[0]).toBe("TAP version 14");
    expect(lines[1]).toBe("1..6");
    const points = lines.filter((line) => /^(not )?ok /.test(line));
    expect(points.map((p) => p.startsWith("ok"))).toEqual([true, true, true, false, true, false]);
    expect(points.filter((p) => / (?<!\\)# SKIP/.test(p.replaceAll("\\#", "")))).toHaveLength(1);
  });
});

describe("github", () => {
  /** Reads a workflow command as the Actions runner does. */
  function parseCommand(line: string): { name: string; properties: Record<string, string>; data: string } {
    const match = /^::([a-z-]+)(?: (.*?))?::(.*)$/.exec(line)!;
    const decode = (text: string) =>
      text
        .replaceAll("%3A", ":")
        .replaceAll("%2C", ",")
        .replaceAll("%0A", "\n")
        .replaceAll("%0D", "\r")
        .replaceAll("%25", "%");
    const properties = Object.fromEntries(
      (match[2] ?? "")
        .split(",")
        .filter((p) => p !== "")
        .map((p) => [p.slice(0, p.indexOf("=")), decode(p.slice(p.indexOf("=") + 1))]),
    );
    return { name: match[1]!, properties, data: decode(match[3]!) };
  }

  test("is one command a line, on the script's file, with the text unharmed", () => {
    const commands = reporters.github(sampleResult(), context).trimEnd().split("\n").map(parseCommand);
    expect(commands.map((c) => c.name)).toEqual(["error", "warning", "warning"]);
    expect(commands[0]!.properties.file).toBe(`${hostile}.sh`);
    expect(commands[0]!.data).toContain(`DESIRED is ${hostile}`);
  });

  test("gives points to the workflow", () => {
    expect(githubOutputs(sampleResult(), context)).toBe("points=3\nmax-points=6\noutcome=error\n");
  });

  test("keeps the summary below GitHub's limit", () => {
    const result = sampleResult();
    result.submissions = Array.from({ length: 3000 }, () => result.submissions[1]!);
    expect(Buffer.byteLength(githubSummary(result, context))).toBeLessThanOrEqual(1_000_000);
  });
});

describe("markdown", () => {
  test("has a row for each student's task and no live HTML or link from a submission", () => {
    const text = reporters.markdown(sampleResult(), context);
    expect(text.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(5);
    expect(text.replace(/```+text[\s\S]*?```+/g, "")).not.toMatch(/<script|\]\(javascript/);
  });
});

describe("gradescope", () => {
  test("lists a test for each check, with its points", () => {
    const results = JSON.parse(reporters.gradescope(sampleResult(), context));
    expect(results.tests).toHaveLength(6);
    expect(results.tests[3]).toMatchObject({ score: 0, max_score: 1, status: "failed" });
    expect(results.tests[5].status).toBeUndefined();
    expect(results.tests[5].output).toContain("not graded");
  });
});

describe("classroom50", () => {
  const env = {
    CLASSROOM: "cs1",
    ASSIGNMENT: "daemons",
    USERNAME: "ada",
    SUBMISSION_TAG: "submit/2026-12-01T09-00-00Z-abc1234",
    GITHUB_REPOSITORY: "school/cs1-daemons-ada",
    GITHUB_SHA: "abc1234def",
    GITHUB_ACTOR: "ada",
    GITHUB_ACTOR_ID: "7",
  };

  test("has the fields that its collector requires, in integers", () => {
    const result = { ...sampleResult(), submissions: sampleResult().submissions.slice(0, 1) };
    result.submissions[0]!.tasks[0]!.steps[0]!.checks[0]!.points = { earned: 0.5, possible: 0.5 };
    const doc = JSON.parse(reporters.classroom50(result, { ...context, env }));
    expect(doc).toMatchObject({
      schema: "classroom50/result/v1",
      classroom: "cs1",
      assignment: "daemons",
      assignment_type: "individual",
      owner: "ada",
      submission: "submit/2026-12-01T09-00-00Z-abc1234",
      commit: "https://github.com/school/cs1-daemons-ada/commit/abc1234def",
      datetime: "2026-12-01T10:00:09Z",
      score: 15,
      "max-score": 15,
      submitted_by: { username: "ada", id: 7 },
    });
    expect(doc.tests.map((t: { score: number }) => t.score)).toEqual([5, 10]);
  });

  test("never turns an error of ours into a score", () => {
    const doc = JSON.parse(reporters.classroom50(sampleResult(), { ...context, env }));
    expect(doc).toMatchObject({ score: 0, "max-score": 0, tests: [] });
  });
});

describe("text", () => {
  test("says what was expected, what was found, and how to see it", () => {
    const text = reporters.text(sampleResult(), context);
    expect(text).toContain("expected: 2");
    expect(text).toContain("$ kubectl get daemonset node-agent");
    expect(text).toContain("3 submissions: 1 passed, 1 failed, 1 not graded");
  });

  test("lets no control character of a submission reach the terminal", () => {
    expect(reporters.text(sampleResult(), context).replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f]/);
  });
});
