import { type CheckContext, defineStep, fail, matchesSelector, pass, pending, touches } from "k8s-practice";

/** Places where a nodeSelector is no field. */
const outside = [
  ["spec", "nodeSelector"],
  ["spec", "template", "nodeSelector"],
  ["nodeSelector"],
  ["metadata", "nodeSelector"],
];

const names = (nodes: { metadata?: { name?: string } }[]) => nodes.map((node) => node.metadata?.name).join(", ");
const written = (selector: Record<string, string>) =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

/** No selector: what did they do instead? */
async function explainAbsent({ cluster, trace, baseline }: CheckContext) {
  const ds = await cluster.daemonSet("node-agent");
  const nodes = await cluster.nodes();
  const before = (node: (typeof nodes)[number]) => baseline?.find(({ name }) => name === node.metadata?.name);
  const cordoned = nodes.filter((node) => node.spec?.unschedulable === true && before(node)?.unschedulable !== true);
  if (cordoned.length > 0) return fail("cordoned", { nodes: names(cordoned), count: cordoned.length });
  const isNew = (node: (typeof nodes)[number], taint: { key: string; effect: string }) =>
    !taint.key.startsWith("node.kubernetes.io/") &&
    !(before(node)?.taints ?? [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }]).some(
      (old) => old.key === taint.key && old.effect === taint.effect,
    );
  const tainted = nodes.filter((node) => node.spec?.taints?.some((taint) => isNew(node, taint)));
  if (tainted.length > 0) {
    const taint = tainted[0]!.spec!.taints!.find((t) => isNew(tainted[0]!, t))!;
    return fail("tainted", { nodes: names(tainted), count: tainted.length, taint: `${taint.key}:${taint.effect}` });
  }
  if (ds.template.spec.affinity?.nodeAffinity !== undefined) return fail("affinity");
  if (trace.available) {
    const sent = await trace.requests({
      verbs: ["patch", "update", "create"],
      resource: "daemonsets",
      name: "node-agent",
    });
    const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
    if (path !== undefined) return fail("outside", { path: path.join(".") });
  }
  return fail("absent");
}

export default defineStep({
  checks: [
    {
      id: "node-selector",
      async run(context) {
        const { cluster, baseline } = context;
        const ds = await cluster.daemonSet("node-agent");
        const selector = ds.template.spec.nodeSelector ?? {};
        if (Object.keys(selector).length === 0) return explainAbsent(context);
        const nodes = await cluster.nodes();
        const matching = nodes.filter((node) => matchesSelector(selector, node));
        const values = { selector: written(selector), count: matching.length };
        if (matching.length > 0) return fail("matches", { ...values, nodes: names(matching) });
        const relabelled = (baseline ?? []).filter(({ labels }) => matchesSelector(selector, { metadata: { labels } }));
        if (relabelled.length > 0) {
          return fail("relabelled", { ...values, nodes: relabelled.map(({ name }) => name).join(", ") });
        }
        return pass(values);
      },
    },
    {
      id: "desired-zero",
      needs: ["node-selector"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        if (!ds.isObserved) return pending("controller");
        const { desiredNumberScheduled: desired, currentNumberScheduled: current } = ds.status;
        return desired === 0 && current === 0 ? pass() : pending("counts", { desired, current });
      },
    },
    {
      id: "no-pods",
      needs: ["node-selector"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        const labels = ds.spec.selector.matchLabels ?? {};
        const own = await cluster.podsOf(ds);
        if (own.length > 0) return pending("terminating", { count: own.length, pods: names(own) });
        const alike = (await cluster.pods()).filter((pod) => matchesSelector(labels, pod));
        return alike.length === 0 ? pass() : fail("stray", { pods: names(alike) });
      },
    },
  ],
});
