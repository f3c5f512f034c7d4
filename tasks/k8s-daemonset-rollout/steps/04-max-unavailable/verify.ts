import { defineStep, fail, pass } from "k8s-practice";
import {
  agent,
  changes,
  changesStrategy,
  changesTemplate,
  level,
  rolledOut,
  sameObject,
  strategyOf,
} from "../../rollout.ts";

export default defineStep({
  checks: [
    {
      id: "max-unavailable",
      async run(context) {
        const ds = await agent(context);
        const { type, maxUnavailable, maxSurge, written } = strategyOf(ds);
        if (type !== "RollingUpdate") return fail("on-delete");
        if (maxSurge > 0) return fail("surge");
        const nodes = ds.status.desiredNumberScheduled;
        return maxUnavailable > 1 ? pass({ written }) : fail("one", { written, nodes });
      },
    },
    sameObject,
    level("debug"),
    {
      id: "in-this-order",
      needs: ["max-unavailable", "level"],
      question: { choices: ["wave", "one", "none"], answer: "one" },
      async run(context) {
        const sent = await changes(context);
        const strategy = sent.findIndex(changesStrategy);
        const template = sent.findLastIndex(changesTemplate);
        return template >= strategy ? pass() : fail("template-first");
      },
    },
    rolledOut(["level"]),
  ],
});
