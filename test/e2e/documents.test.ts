import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandName, commands } from "../../src/cli/commands.ts";
import { root } from "./workplace.ts";

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/grading.md", "docs/clusters.md"];
const text = (name: string) => readFile(join(root, name), "utf8");

describe.each(documents)("%s", (name) => {
  it("names only commands that exist", async () => {
    const known = commands.map(commandName);
    for (const [, command = ""] of (await text(name)).matchAll(/\.\/run ([a-z]+)/g)) expect(known).toContain(command);
  });

  it("names only npm scripts that exist", async () => {
    const { scripts } = JSON.parse(await text("package.json"));
    for (const [, script = ""] of (await text(name)).matchAll(/npm run ([a-z:]+)/g))
      expect(scripts).toHaveProperty(script);
  });

  it("links only to files that exist", async () => {
    for (const [, target = ""] of (await text(name)).matchAll(/\]\((?!https?:)([^)#]+)\)/g))
      await access(join(root, dirname(name), target));
  });
});

describe("the gate", () => {
  it("runs the README's test command", async () => {
    expect(await text(".ci/run")).toContain("npm cit");
    expect(await text("README.md")).toContain("\nnpm cit\n");
  });
});
