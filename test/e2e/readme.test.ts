import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, Workplace } from "./workplace.ts";

/**
 * The README's session, word for word: each `$ command` is typed into a shell and what it prints is compared with the
 * lines below it. `UPDATE_README=1` writes down what is printed instead.
 */
const file = join(root, "README.md");
const readme = await readFile(file, "utf8");
const [begin, end] = ["<!-- session: ", "<!-- end of session -->"].map((mark) => readme.indexOf(mark)) as [
  number,
  number,
];
const session = readme.slice(begin, end);
const blocks = [...session.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].map(([, command = "", output = ""]) => ({
  command,
  output,
}));

/** Ages and times of day are the only words that may differ. */
const settled = (text: string) =>
  text
    .split("\n")
    .map((line) => line.replace(/\b(\d+[smhd])+$/, "AGE").trimEnd())
    .join("\n")
    .trim();

describe("the README's session", () => {
  let desk: Workplace;
  beforeAll(async () => {
    desk = await Workplace.make();
    await desk.run(["--version"], { timeout: 120_000 });
  }, 120_000);
  afterAll(() => desk.leave());

  it("is what a learner sees", async () => {
    expect(blocks.length).toBeGreaterThan(4);
    let recorded = session;
    for (const { command, output } of blocks) {
      const ran = await desk.command("bash", [
        "-c",
        `{ ${command.replaceAll("./run", `'${join(root, "run")}'`)}; } 2>&1`,
      ]);
      const printed = ran.stdout.trimEnd();
      if (process.env["UPDATE_README"]) {
        recorded = recorded.replace(
          `\`\`\`console\n$ ${command}\n${output}\`\`\``,
          () => `\`\`\`console\n$ ${command}\n${printed}\n\`\`\``,
        );
      } else expect(settled(printed), `$ ${command}`).toBe(settled(output));
    }
    if (process.env["UPDATE_README"])
      await writeFile(
        file,
        readme.replace(session, () => recorded),
      );
  });
});
