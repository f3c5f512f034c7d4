// npm run bench:grade: a class of 200 submissions (right, wrong, hostile) graded with --jobs 2, then each reference
// solution 50 times in parallel. Prints times against `node -e 0` of this run, checks that none is lost, that the totals
// are right and that nothing flakes; exits with 1 when one of them does not hold.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const desk = mkdtempSync(join(tmpdir(), "k8s-practice-bench-grade-"));
const kubectl = spawnSync("node", [join(root, "scripts/fetch-kubectl.mjs")], { encoding: "utf8" }).stdout.trim();
const env = {
  ...process.env,
  K8S_PRACTICE_HOME: join(desk, "home"),
  HOME: desk,
  PATH: `${kubectl}:${process.env.PATH}`,
};
const task = "k8s-daemonset";
const steps = readdirSync(join(root, "tasks", task, "steps")).sort();
const stepFolder = (step) => join(root, "tasks", task, "steps", step);
const hostile = [
  "while :; do echo endless; done",
  "kubectl delete nodes --all; kubectl delete namespace k8s-daemonset",
  "for i in $(seq 300); do sleep 60 & done 2>/dev/null; wait",
];

/** @returns {Promise<{result: any, seconds: number, megabytes: number, code: number}>} */
function grade(folder, jobs, ...more) {
  const began = performance.now();
  const child = spawn(
    join(root, "run"),
    ["grade", task, "--submissions", folder, "--jobs", String(jobs), "-o", "json", ...more],
    { env },
  );
  let out = "";
  let most = 0;
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const watch = setInterval(() => {
    const ps = spawnSync("ps", ["-eo", "rss=,args="], { encoding: "utf8" }).stdout.split("\n");
    const ours = ps.filter((line) => line.includes("grade-worker") || line.includes("dist/run.js grade"));
    most = Math.max(most, ours.reduce((sum, line) => sum + Number.parseInt(line, 10), 0) / 1024);
  }, 500);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearInterval(watch);
      resolve({ result: JSON.parse(out), seconds: (performance.now() - began) / 1000, megabytes: most, code });
    }),
  );
}

const problems = [];
const check = (holds, what) => holds || problems.push(what);
try {
  const began = performance.now();
  for (let i = 0; i < 5; i += 1) spawnSync("node", ["-e", "0"]);
  const node = (performance.now() - began) / 5000;

  const count = Number(process.argv[2] ?? 200);
  const folder = join(desk, "class");
  const expected = {};
  for (let i = 0; i < count; i += 1) {
    const name = `student-${String(i).padStart(3, "0")}`;
    mkdirSync(join(folder, name), { recursive: true });
    const sort = ["right", "wrong", "hostile", "right"][i % 4];
    expected[name] = sort === "right" ? "passed" : "failed";
    for (const [index, step] of steps.entries()) {
      const target = join(folder, name, `${index + 1}.sh`);
      if (sort === "right") cpSync(join(stepFolder(step), "solution.sh"), target);
      else if (sort === "wrong") {
        const wrong = readdirSync(join(stepFolder(step), "wrong"));
        cpSync(join(stepFolder(step), "wrong", wrong[i % wrong.length]), target);
      } else if (index === 0) writeFileSync(target, `${hostile[i % hostile.length]}\n`);
    }
  }
  const run = await grade(folder, 2, "--timeout", "2s", "--settle", "5s");
  const got = Object.fromEntries(run.result.submissions.map((s) => [s.submission, s.outcome]));
  check(Object.keys(got).length === count, `${count - Object.keys(got).length} submissions are lost`);
  for (const [name, outcome] of Object.entries(expected))
    check(got[name] === outcome, `${name}: ${got[name]}, not ${outcome}`);

  const parallel = join(desk, "parallel");
  for (let i = 0; i < 50; i += 1) cpSync(join(folder, "student-000"), join(parallel, `run-${i}`), { recursive: true });
  const flakes = await grade(parallel, 2);
  const points = new Set(flakes.result.submissions.map((s) => `${s.outcome} ${s.points.earned}/${s.points.possible}`));
  check(points.size === 1 && flakes.code === 0, `50 runs of the reference solutions differ: ${[...points].join(", ")}`);

  const row = (what, seconds, megabytes) =>
    console.log(
      `${what.padEnd(52)} ${seconds.toFixed(1).padStart(7)} s  ${(seconds / node).toFixed(0).padStart(6)} × node  ${megabytes.toFixed(0).padStart(5)} MB`,
    );
  row(`${count} submissions, right, wrong and hostile, --jobs 2`, run.seconds, run.megabytes);
  row("50 × the reference solutions, --jobs 2", flakes.seconds, flakes.megabytes);
  row("  one of them", flakes.seconds / 50, 0);
} finally {
  rmSync(desk, { recursive: true, force: true });
}
for (const problem of problems) console.error(`✘ ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
