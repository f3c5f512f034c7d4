import { defineStep, fail, pass } from "k8s-practice";
import { nameOf, namesOf, readyOn } from "../../coverage.ts";

const isRead = ["get", "list", "watch"];

export default defineStep({
  checks: [
    {
      id: "compared",
      question: { choices: ["every-node", "every-qualifying-node", "nothing"], answer: "every-qualifying-node" },
      async run({ trace }) {
        const [everywhere, here, nodes] = await Promise.all([
          trace.requests({ verbs: isRead, resource: "daemonsets", namespace: null }),
          trace.requests({ verbs: isRead, resource: "daemonsets" }),
          trace.requests({ verbs: isRead, resource: "nodes", namespace: null }),
        ]);
        if (everywhere.length === 0) return fail(here.length > 0 ? "one-namespace" : "no-daemonsets");
        return nodes.length > 0 ? pass() : fail("no-nodes");
      },
    },
    {
      id: "finding",
      async run({ cluster }) {
        const { data = {} } = await cluster.get<{ data?: Record<string, string> }>("v1/configmaps", "finding");
        const named = data["node"]?.trim();
        if (!named) return fail("no-key", { keys: Object.keys(data).join(", ") || "-" });
        const nodes = await cluster.nodes();
        const node = nodes.find((candidate) => nameOf(candidate) === named);
        if (node === undefined) return fail("no-such-node", { node: named, nodes: namesOf(nodes) });
        const ds = await cluster.daemonSet("agent");
        const pod = readyOn(node, await cluster.podsOf(ds));
        const qualifies = (await cluster.eligibleNodes(ds)).includes(node);
        return pod === undefined && !qualifies
          ? pass({ node: named })
          : fail("covered", { node: named, pod: pod === undefined ? "-" : nameOf(pod) });
      },
    },
  ],
});
