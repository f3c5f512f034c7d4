import { defineStep, fail, pass } from "k8s-practice";
import { level, rolledOut, sameObject, strategyKept } from "../../rollout.ts";

export default defineStep({
  checks: [
    strategyKept,
    sameObject,
    level("info"),
    rolledOut(["level"]),
    {
      id: "watched",
      question: { choices: ["one", "all", "none"], answer: "one" },
      async run({ trace }) {
        const watches = await trace.requests({ verbs: ["watch"] });
        const useful = watches.some(({ resource }) => resource === "daemonsets" || resource === "pods");
        return useful ? pass() : fail("not-watched");
      },
    },
  ],
});
