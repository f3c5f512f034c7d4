import { defineStep, fail, pass, pending } from "k8s-practice";
import { isReady, milli, nameOf, namesOf, roomNotMadeByHand, workers } from "../../priority.ts";

export default defineStep({
  checks: [
    {
      id: "read-the-reason",
      question: { choices: ["taint", "cpu", "image"], answer: "cpu" },
      async run({ trace }) {
        const reads = await trace.requests({ verbs: ["get", "list", "watch"] });
        const everywhere = await trace.requests({ verbs: ["list", "watch"], resource: "events", namespace: null });
        const told = reads.some(({ resource, name }) => resource === "events" || (resource === "pods" && name));
        if (told || everywhere.length > 0) return pass();
        return fail("not-read", { pods: reads.filter(({ resource }) => resource === "pods").length });
      },
    },
    roomNotMadeByHand({ report: false }),
    {
      id: "request",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("log-agent");
        const { requests = {} } = ds.template.spec.containers[0]?.resources ?? {};
        const cpu = requests["cpu"] as string | undefined;
        if (cpu === undefined) return fail("none");
        const asked = milli(cpu);
        if (asked >= 1000) return fail("cores", { cpu });
        if (asked < 200) return fail("too-little", { cpu });
        return asked > 300 ? fail("too-much", { cpu }) : pass({ cpu });
      },
    },
    {
      id: "both-nodes-wanted",
      async run({ cluster }) {
        const eligible = await cluster.eligibleNodes(await cluster.daemonSet("log-agent"));
        const left = (await workers(cluster)).filter((node) => !eligible.includes(node));
        return left.length === 0 ? pass() : fail("left-out", { nodes: namesOf(left) });
      },
    },
    {
      id: "quiet-node",
      needs: ["request", "both-nodes-wanted"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("log-agent");
        if (!ds.isObserved) return pending("controller");
        const quiet = (await workers(cluster)).find((node) => node.metadata?.labels?.["pool"] === "quiet");
        const pods = await cluster.podsOf(ds);
        const ready = pods.some((pod) => pod.spec?.nodeName === nameOf(quiet ?? {}) && isReady(pod));
        return ready ? pass() : pending("waiting", { node: nameOf(quiet ?? {}) });
      },
    },
  ],
});
