import { type CheckContext, defineStep, fail, pass, pending } from "k8s-practice";
import {
  deployment,
  isReady,
  isRolledOut,
  isStaying,
  type Node,
  namesOf,
  nodesFor,
  podsOfDeployment,
} from "../../workloads.ts";

/** Nodes that got a taint since the task began. */
function newlyTainted(nodes: readonly Node[], baseline: CheckContext["baseline"]): Node[] {
  return nodes.filter((node) => {
    const before = baseline?.find(({ name }) => name === node.metadata?.name);
    return node.spec?.taints?.some(
      (taint) =>
        before !== undefined &&
        !taint.key.startsWith("node.kubernetes.io/") &&
        !before.taints.some((old) => old.key === taint.key && old.effect === taint.effect),
    );
  });
}

export default defineStep({
  checks: [
    {
      id: "same-node",
      async run(context) {
        const { cluster, baseline } = context;
        const web = await nodesFor(context, (await deployment(context, "web")).spec.template.spec);
        const agent = await nodesFor(context, (await cluster.daemonSet("agent")).template.spec);
        const tainted = newlyTainted(await cluster.nodes(), baseline);
        if (tainted.length > 0) return fail("tainted", { nodes: namesOf(tainted) });
        for (const [workload, nodes] of [
          ["Deployment web", web],
          ["DaemonSet agent", agent],
        ] as const) {
          if (nodes.length === 0) return fail("nowhere", { workload });
          if (nodes.length > 1) return fail("several", { workload, nodes: namesOf(nodes), count: nodes.length });
        }
        const [one, other] = [namesOf(web), namesOf(agent)];
        return one === other ? pass({ node: one }) : fail("differ", { web: one, agent: other });
      },
    },
    {
      id: "two-replicas",
      needs: ["same-node"],
      async run(context) {
        const web = await deployment(context, "web");
        const replicas = web.spec.replicas ?? 1;
        if (replicas < 2) return fail("too-few", { replicas });
        const [node] = await nodesFor(context, web.spec.template.spec);
        const pods = (await podsOfDeployment(context, web)).filter(
          (pod) => isReady(pod) && pod.spec?.nodeName === node?.metadata?.name,
        );
        const done = isRolledOut(web) && pods.length === replicas;
        return done ? pass({ replicas }) : pending("waiting", { ready: pods.length, replicas });
      },
    },
    {
      id: "one-daemon",
      needs: ["same-node"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("agent");
        const pods = (await cluster.podsOf(ds)).filter(isStaying);
        const done = ds.isRolledOut && pods.length === 1 && pods.every(isReady);
        return done ? pass() : pending("waiting", { pods: pods.length });
      },
    },
  ],
});
