import { defineStep, fail, matchesSelector, pass, pending, tolerates, touches } from "k8s-practice";
import { nameOf, namesOf, poolLabels, readyOn, taint } from "../../coverage.ts";

const controlPlane = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
const outside = [["spec", "tolerations"], ["spec", "template", "tolerations"], ["tolerations"]];

export default defineStep({
  checks: [
    {
      id: "taint-kept",
      async run({ cluster }) {
        const pool = (await cluster.nodes()).filter((node) => matchesSelector(poolLabels, node));
        if (pool.length === 0) return fail("no-pool");
        const bare = pool.filter(
          ({ spec }) =>
            !spec?.taints?.some((t) => t.key === taint.key && t.value === taint.value && t.effect === taint.effect),
        );
        return bare.length === 0 ? pass() : fail("removed", { nodes: namesOf(bare) });
      },
    },
    {
      id: "toleration",
      async run({ cluster, trace }) {
        const ds = await cluster.daemonSet("agent");
        const tolerations = ds.template.spec.tolerations ?? [];
        if (tolerations.some((toleration) => !toleration.key)) return fail("everything");
        if (tolerations.some((toleration) => tolerates(toleration, taint))) return pass();
        const ours = tolerations.find(({ key }) => key === taint.key);
        if (ours?.effect && ours.effect !== taint.effect) return fail("wrong-effect", { effect: ours.effect });
        if (ours !== undefined) return fail("wrong-value", { value: ours.value ?? "" });
        const other = tolerations.find(({ key }) => key !== controlPlane.key);
        if (other !== undefined) return fail("wrong-key", { key: other.key });
        if (trace.available) {
          const sent = await trace.requests({ verbs: ["patch", "update"], resource: "daemonsets", name: "agent" });
          const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
          if (path !== undefined) return fail("outside", { path: path.join(".") });
        }
        return fail("absent");
      },
    },
    {
      id: "control-plane-kept",
      needs: ["toleration"],
      async run({ cluster }) {
        const { tolerations = [] } = (await cluster.daemonSet("agent")).template.spec;
        return tolerations.some((toleration) => tolerates(toleration, controlPlane)) ? pass() : fail("lost");
      },
    },
    {
      id: "everywhere",
      needs: ["taint-kept", "toleration", "control-plane-kept"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("agent");
        if (!ds.isObserved) return pending("controller");
        const nodes = await cluster.nodes();
        const eligible = await cluster.eligibleNodes(ds);
        const left = nodes.filter((node) => !eligible.includes(node));
        if (left.length > 0) return fail("kept-away", { nodes: namesOf(left) });
        const pods = await cluster.podsOf(ds);
        const bare = nodes.filter((node) => readyOn(node, pods) === undefined);
        if (!ds.isRolledOut || bare.length > 0) {
          return pending("waiting", { nodes: nodes.length, covered: nodes.length - bare.length });
        }
        return pass({ nodes: nodes.map(nameOf).join(", ") });
      },
    },
  ],
});
