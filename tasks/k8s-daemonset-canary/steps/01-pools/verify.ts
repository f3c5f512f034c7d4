import { type CheckContext, defineStep, fail, pass, pending, touches } from "k8s-practice";
import { covers, fleetOf, isControlPlane, namesOf, sameNodes } from "../../fleets.ts";

/** Places where a nodeSelector is no field. */
const outside = [["spec", "nodeSelector"], ["spec", "template", "nodeSelector"], ["nodeSelector"]];

/** The template says nothing about nodes: what did they do instead? */
async function explainAbsent({ cluster, trace, baseline }: CheckContext) {
  const tainted = (await cluster.nodes()).filter((node) => {
    const before = baseline?.find(({ name }) => name === node.metadata?.name)?.taints ?? [];
    return node.spec?.taints?.some(
      ({ key }) =>
        !key.startsWith("node.kubernetes.io/") &&
        key !== "node-role.kubernetes.io/control-plane" &&
        !before.some((taint) => taint.key === key),
    );
  });
  if (tainted.length > 0) return fail("tainted", { nodes: namesOf(tainted) });
  if (trace.available) {
    const about = { verbs: ["patch", "update", "create"], resource: "daemonsets", name: "node-agent" };
    const sent = await trace.requests(about);
    const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
    if (path !== undefined) return fail("outside", { path: path.join(".") });
  }
  return fail("absent");
}

export default defineStep({
  checks: [
    {
      id: "fleets",
      async run({ cluster }) {
        const nodes = await cluster.nodes();
        const canary = nodes.filter((node) => fleetOf(node) === "canary");
        const lost = nodes.filter((node) => !["stable", "canary"].includes(fleetOf(node) ?? ""));
        if (lost.length > 0) return fail("no-fleet", { nodes: namesOf(lost), count: lost.length });
        if (canary.length === 0) return fail("no-canary");
        if (canary.some(isControlPlane)) return fail("control-plane", { node: namesOf(canary.filter(isControlPlane)) });
        if (canary.length > 1) return fail("too-many", { nodes: namesOf(canary), count: canary.length });
        return pass({ node: namesOf(canary) });
      },
    },
    {
      id: "selects-stable",
      async run(context) {
        const { cluster } = context;
        const ds = await cluster.daemonSet("node-agent");
        const nodes = await cluster.nodes();
        const stable = nodes.filter((node) => fleetOf(node) === "stable");
        const eligible = await cluster.eligibleNodes(ds);
        const { nodeSelector, affinity } = ds.template.spec;
        if (nodeSelector === undefined && affinity?.nodeAffinity === undefined) return explainAbsent(context);
        if (!JSON.stringify([nodeSelector, affinity]).includes('"fleet"')) return fail("other-label");
        return sameNodes(eligible, stable)
          ? pass()
          : fail("wrong-nodes", { stable: namesOf(stable), eligible: namesOf(eligible) });
      },
    },
    {
      id: "left-the-canary",
      needs: ["fleets", "selects-stable"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        if (!ds.isObserved) return pending("controller");
        const stable = (await cluster.nodes()).filter((node) => fleetOf(node) === "stable");
        const done = ds.isRolledOut && (await covers(cluster, ds, stable));
        const { desiredNumberScheduled: desired, numberReady: ready } = ds.status;
        return done ? pass({ desired }) : pending("waiting", { desired, ready, stable: namesOf(stable) });
      },
    },
  ],
});
