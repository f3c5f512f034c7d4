import { defineStep, fail, pass, pending, touches } from "k8s-practice";
import { deployment, isReady, isRolledOut, isStaying, nodesFor, podsOfDeployment, written } from "../../workloads.ts";

export default defineStep({
  checks: [
    {
      id: "selectors-gone",
      async run(context) {
        const web = await deployment(context, "web");
        const ds = await context.cluster.daemonSet("agent");
        const left = [
          ["deployment/web", web.spec.template.spec] as const,
          ["daemonset/agent", ds.template.spec] as const,
        ].filter(([, spec]) => Object.keys(spec.nodeSelector ?? {}).some((key) => key !== "kubernetes.io/os"));
        if (left.length === 0) return pass();
        const [workload, spec] = left[0]!;
        return fail("still-there", { workload, selector: written(spec.nodeSelector) });
      },
    },
    {
      id: "tried",
      question: { choices: ["spread", "refused", "doubled"], answer: "refused" },
      async run({ trace }) {
        const sent = await trace.requests({
          verbs: ["get", "patch", "update", "create"],
          resource: "daemonsets",
          name: "agent",
        });
        const tried = sent.some((r) => r.subresource === "scale" || touches(r.body, ["spec", "replicas"]));
        return tried ? pass() : fail("not-tried");
      },
    },
    {
      id: "more-than-nodes",
      needs: ["selectors-gone"],
      async run(context) {
        const { spec } = await deployment(context, "web");
        const nodes = (await nodesFor(context, spec.template.spec)).length;
        const replicas = spec.replicas ?? 1;
        return replicas > nodes ? pass({ replicas, nodes }) : fail("too-few", { replicas, nodes });
      },
    },
    {
      id: "shared-node",
      needs: ["more-than-nodes"],
      async run(context) {
        const web = await deployment(context, "web");
        const pods = (await podsOfDeployment(context, web)).filter(isReady);
        const on = pods.map((pod) => pod.spec?.nodeName);
        const shared = on.find((node, i) => on.indexOf(node) !== i);
        const values = { ready: pods.length, replicas: web.spec.replicas ?? 1 };
        return isRolledOut(web) && shared !== undefined ? pass({ node: shared }) : pending("waiting", values);
      },
    },
    {
      id: "one-daemon",
      needs: ["selectors-gone"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("agent");
        const nodes = await cluster.eligibleNodes(ds);
        const pods = (await cluster.podsOf(ds)).filter(isStaying);
        const exact = nodes.every(
          (node) => pods.filter((pod) => pod.spec?.nodeName === node.metadata?.name && isReady(pod)).length === 1,
        );
        const done = exact && ds.isRolledOut && pods.length === nodes.length;
        return done ? pass({ nodes: nodes.length }) : pending("waiting", { pods: pods.length, nodes: nodes.length });
      },
    },
  ],
});
