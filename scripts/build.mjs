// Bundles run.ts and the embedded cluster's process into dist/, and stamps it for the launcher.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeDescriptions } from "./descriptions.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = `${root}dist`;
await rm(`${out}/.stamp`, { force: true });
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    run: "run.ts",
    embedded: "src/embedded/process/main.ts",
    author: "src/verify/author.ts",
    "grade-worker": "src/grade/worker/main.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  chunkNames: "chunks/[name]-[hash]",
  loader: { ".json": "json" },
  // Native code and esbuild's own executable stay in node_modules.
  external: ["classic-level", "esbuild"],
  // CommonJS packages inside an ES module bundle still call require().
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
  logLevel: "warning",
});
writeDescriptions(root, out);
await writeFile(`${out}/.stamp`, `${process.version}\n`);
