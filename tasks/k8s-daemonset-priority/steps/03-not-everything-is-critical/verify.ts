import type { V1Deployment } from "@kubernetes/client-node";
import { defineStep, fail, pass, pending } from "k8s-practice";
import { deployment, isReady, nameOf, priorityClass, roomNotMadeByHand, workers } from "../../priority.ts";

const classOf = ({ spec }: V1Deployment): string | undefined => spec?.template.spec?.priorityClassName || undefined;

export default defineStep({
  checks: [
    {
      id: "report-not-critical",
      async run({ cluster }) {
        const name = classOf(await deployment(cluster, "report"));
        return name?.startsWith("system-") ? fail("critical", { name }) : pass();
      },
    },
    {
      id: "agents-keep-theirs",
      async run({ cluster }) {
        const name = (await cluster.daemonSet("log-agent")).template.spec.priorityClassName ?? "-";
        return name === "node-agents" ? pass() : fail("changed", { name });
      },
    },
    {
      id: "between",
      needs: ["report-not-critical"],
      async run({ cluster }) {
        const name = classOf(await deployment(cluster, "report"));
        if (name === undefined) return fail("none");
        if (name === "node-agents") return fail("same-class");
        const found = await priorityClass(cluster, name);
        if (found === undefined) return fail("no-such-class", { name });
        if (found.globalDefault === true) return fail("global-default", { name });
        const agents = (await priorityClass(cluster, "node-agents"))?.value ?? 0;
        if (found.value <= 0) return fail("too-low", { name, value: found.value });
        if (found.value >= agents) return fail("too-high", { name, value: found.value, agents });
        return pass({ value: found.value });
      },
    },
    roomNotMadeByHand({ report: true }),
    {
      id: "settled",
      needs: ["agents-keep-theirs", "between", "others-untouched"],
      async run({ cluster }) {
        const report = await deployment(cluster, "report");
        const ds = await cluster.daemonSet("log-agent");
        const name = classOf(report);
        const pods = (await cluster.pods()).filter(isReady);
        const running = pods.some(
          ({ metadata, spec }) => metadata?.labels?.["app"] === "report" && spec?.priorityClassName === name,
        );
        const agents = await cluster.podsOf(ds);
        const without = (await workers(cluster)).filter(
          (node) => !agents.some((pod) => pod.spec?.nodeName === nameOf(node) && isReady(pod)),
        );
        if (!running) return pending("report-waiting");
        return without.length === 0 ? pass() : pending("agent-waiting", { nodes: without.map(nameOf).join(", ") });
      },
    },
  ],
});
