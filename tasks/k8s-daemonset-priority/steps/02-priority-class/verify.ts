import { defineStep, fail, pass, pending, touches } from "k8s-practice";
import { isReady, nameOf, namesOf, priorityClass, roomNotMadeByHand, workers } from "../../priority.ts";

/** Places where a priorityClassName is no field. */
const outside = [["spec", "priorityClassName"], ["spec", "template", "priorityClassName"], ["priorityClassName"]];

export default defineStep({
  checks: [
    {
      id: "class",
      async run({ cluster }) {
        const found = await priorityClass(cluster, "node-agents");
        if (found === undefined) return fail("absent");
        if (found.globalDefault === true) return fail("global-default");
        if (found.preemptionPolicy === "Never") return fail("never");
        return found.value > 0 ? pass({ value: found.value }) : fail("not-above-zero", { value: found.value });
      },
    },
    {
      id: "uses-class",
      async run({ cluster, trace }) {
        const ds = await cluster.daemonSet("log-agent");
        const { priorityClassName: name, priority } = ds.template.spec;
        if (name === "node-agents") return pass();
        if (name?.startsWith("system-")) return fail("system", { name });
        if (name) return fail("other", { name });
        if (priority !== undefined) return fail("number", { priority });
        if (trace.available) {
          const about = { verbs: ["patch", "update", "create"], resource: "daemonsets", name: "log-agent" };
          const sent = await trace.requests(about);
          const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
          if (path !== undefined) return fail("outside", { path: path.join(".") });
        }
        return fail("absent");
      },
    },
    roomNotMadeByHand({ report: false }),
    {
      id: "on-both-workers",
      needs: ["class", "uses-class", "others-untouched"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("log-agent");
        if (!ds.isObserved) return pending("controller");
        const nodes = await workers(cluster);
        const eligible = await cluster.eligibleNodes(ds);
        const left = nodes.filter((node) => !eligible.includes(node));
        if (left.length > 0) return fail("left-out", { nodes: namesOf(left) });
        const pods = (await cluster.podsOf(ds)).filter(isReady);
        const without = nodes.filter((node) => !pods.some((pod) => pod.spec?.nodeName === nameOf(node)));
        return without.length === 0 && ds.isRolledOut ? pass() : pending("waiting", { nodes: namesOf(without) });
      },
    },
  ],
});
