import { defineStep, fail, pass, pending } from "k8s-practice";
import { linesOf, nameOf, namesOf, readyOn } from "../../coverage.ts";

export default defineStep({
  checks: [
    {
      id: "still-everywhere",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("agent");
        if (!ds.isObserved) return pending("controller");
        const nodes = await cluster.nodes();
        const eligible = await cluster.eligibleNodes(ds);
        const left = nodes.filter((node) => !eligible.includes(node));
        if (left.length > 0) return fail("kept-away", { nodes: namesOf(left) });
        const pods = await cluster.podsOf(ds);
        const bare = nodes.filter((node) => readyOn(node, pods) === undefined);
        return ds.isRolledOut && bare.length === 0 ? pass() : pending("waiting", { nodes: namesOf(bare) });
      },
    },
    {
      id: "coverage",
      needs: ["still-everywhere"],
      async run({ cluster }) {
        const { data } = await cluster.get<{ data?: Record<string, string> }>("v1/configmaps", "coverage");
        const lines = linesOf(data);
        const written = new Set(lines.flat());
        const nodes = await cluster.nodes();
        const absent = nodes.filter((node) => !written.has(nameOf(node)));
        if (absent.length === nodes.length) return fail("no-nodes");
        if (absent.length > 0) return fail("node-absent", { nodes: namesOf(absent), count: absent.length });
        const ds = await cluster.daemonSet("agent");
        const own = await cluster.podsOf(ds);
        const unproven = nodes.filter((node) => {
          const pod = readyOn(node, own);
          return !lines.some((words) => words.includes(nameOf(node)) && words.includes(nameOf(pod ?? {})));
        });
        if (unproven.length === 0) return pass({ nodes: nodes.length });
        const agents = [...written].filter((word) => /^agent-[a-z0-9]{5}$/.test(word));
        const gone = agents.filter((word) => !own.some((pod) => nameOf(pod) === word));
        if (gone.length > 0) return fail("stale", { pods: gone.join(", "), count: gone.length });
        return fail(agents.length === 0 ? "no-pods" : "not-side-by-side", { nodes: namesOf(unproven) });
      },
    },
  ],
});
