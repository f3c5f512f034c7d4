import { defineConfig } from "vitest/config";

/** `npm run test:cluster`: the task tests against a cluster that is really there. One learner, one thing at a time. */
export default defineConfig({
  test: {
    include: ["test/cluster/*.cluster.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    reporters: ["verbose", "./scripts/closing-line-reporter.ts"],
  },
});
