import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { reporters } from "../../src/grade/reporters/index.ts";
import { root } from "../e2e/workplace.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

describe("the GitHub action", () => {
  const action = parse(read("action.yml"));

  test("has the inputs and outputs a course needs", () => {
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(["task", "submission", "cluster", "language"]));
    expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(["points", "max-points", "report"]));
    expect(action.runs.using).toBe("composite");
  });

  test("puts no input into a script's text, where a submission's name could become a command", () => {
    for (const step of action.runs.steps) expect(step.run ?? "").not.toContain("${{");
  });

  test("gives every shell step its shell and refers only to steps and inputs that there are", () => {
    for (const step of action.runs.steps) if (step.run !== undefined) expect(step.shell).toBe("bash");
    const ids = action.runs.steps.map((step: { id?: string }) => step.id);
    for (const [, id] of read("action.yml").matchAll(/steps\.([a-z-]+)\.outputs/g)) expect(ids).toContain(id);
    for (const [, name] of read("action.yml").matchAll(/\$\{\{ *inputs\.([a-z-]+)/g))
      expect(action.inputs).toHaveProperty(name!);
  });
});

describe("the example workflows", () => {
  test("GitHub's calls the action with inputs it has, and asks for no more than to read", () => {
    const workflow = parse(read("docs/examples/github-course.yml"));
    const action = parse(read("action.yml"));
    expect(workflow.permissions).toEqual({ contents: "read" });
    const step = workflow.jobs.grade.steps.find((s: { uses?: string }) => s.uses?.includes("k8s-practice"));
    for (const name of Object.keys(step.with)) expect(action.inputs).toHaveProperty(name);
  });

  test("GitLab's gives its report as JUnit", () => {
    const pipeline = parse(read("docs/examples/gitlab-course.yml"));
    expect(pipeline.grade.artifacts.reports.junit).toBe("report.xml");
    expect(pipeline.grade.script.join("\n")).toContain("junit=report.xml");
    for (const [, name] of pipeline.grade.script.join(" ").matchAll(/--reporter ([a-z0-9]+)/g)) {
      expect(Object.keys(reporters)).toContain(name);
    }
  });
});

describe("the grading Job", () => {
  const [job] = parseAllDocuments(read("deploy/grade-job.yaml")).map((document) => document.toJS());

  test("is an Indexed Job whose number of shards is its number of completions", () => {
    expect(job.spec.completionMode).toBe("Indexed");
    const [container] = job.spec.template.spec.containers;
    const shards = container.env.find((e: { name: string }) => e.name === "K8S_PRACTICE_SHARDS");
    expect(Number(shards.value)).toBe(job.spec.completions);
    expect(container.args.join(" ")).toContain("--resume");
  });
});
