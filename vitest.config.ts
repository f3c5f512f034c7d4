import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "k8s-practice": fileURLToPath(new URL("./src/verify/author.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", "./scripts/closing-line-reporter.ts"],
  },
});
