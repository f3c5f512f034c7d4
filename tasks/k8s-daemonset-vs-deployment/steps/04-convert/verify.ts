import { type CheckContext, defineStep, fail, matchesSelector, pass, pending } from "k8s-practice";
import { isReady, isStaying, namesOf, nodesFor } from "../../workloads.ts";

const name = "log-shipper";
const image = "busybox:1.36";
const command = "sleep infinity";

/** Was the Deployment deleted before there was a DaemonSet? Nothing shipped logs in between. */
async function hadGap({ trace }: CheckContext): Promise<boolean> {
  if (!trace.available) return false;
  const accepted = (await trace.requests({ name })).filter((r) => r.code < 300 && !r.uri.includes("dryRun="));
  const made = accepted.find((r) => r.resource === "daemonsets" && r.verb !== "get");
  const deleted = accepted.find((r) => r.resource === "deployments" && r.verb === "delete");
  return made !== undefined && deleted !== undefined && deleted.at < made.at;
}

export default defineStep({
  checks: [
    {
      id: "daemon-set",
      async run({ cluster }) {
        const ds = await cluster.findDaemonSet(name);
        if (ds !== undefined) return pass();
        const deployment = await cluster.find<{ spec: { replicas?: number } }>("apps/v1/deployments", name);
        if (deployment === undefined) return fail("nothing-left");
        const replicas = deployment.spec.replicas ?? 1;
        return replicas === 2 ? fail("missing") : fail("scaled", { replicas });
      },
    },
    {
      id: "same-pod",
      needs: ["daemon-set"],
      async run({ cluster }) {
        const { spec, metadata } = (await cluster.daemonSet(name)).template;
        if (metadata?.labels?.["app"] !== name) return fail("label", { label: metadata?.labels?.["app"] ?? "" });
        const container = spec.containers.find((c) => c.image === image);
        if (container === undefined) {
          return fail("image", { image, observed: spec.containers.map((c) => c.image).join(", ") });
        }
        const observed = [...(container.command ?? []), ...(container.args ?? [])].join(" ");
        return observed === command ? pass() : fail("command", { command, observed });
      },
    },
    {
      id: "every-node",
      needs: ["daemon-set"],
      async run(context) {
        const ds = await context.cluster.daemonSet(name);
        const eligible = (await context.cluster.eligibleNodes(ds)).map((node) => node.metadata?.name);
        const ordinary = await nodesFor(context, { containers: [] });
        const left = ordinary.filter((node) => !eligible.includes(node.metadata?.name));
        return left.length === 0 ? pass() : fail("left-out", { nodes: namesOf(left) });
      },
    },
    {
      id: "deployment-gone",
      needs: ["daemon-set"],
      async run(context) {
        const { cluster } = context;
        const deployment = await cluster.find<{ spec: { replicas?: number } }>("apps/v1/deployments", name);
        if (deployment !== undefined) return fail("still-there", { replicas: deployment.spec.replicas ?? 1 });
        const sets = await cluster.list<{
          metadata: { name: string; ownerReferences?: unknown[]; labels?: Record<string, string> };
        }>("apps/v1/replicasets");
        const own = sets.filter((set) => matchesSelector({ app: name }, set));
        const orphans = own.filter((set) => (set.metadata.ownerReferences ?? []).length === 0);
        if (orphans.length > 0) return fail("orphans", { sets: namesOf(orphans), count: orphans.length });
        if (own.length > 0) return pending("going");
        return (await hadGap(context)) ? pass({}, { remark: "gap" }) : pass();
      },
    },
    {
      id: "covered",
      needs: ["same-pod", "every-node", "deployment-gone"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet(name);
        const nodes = await cluster.eligibleNodes(ds);
        const own = (await cluster.podsOf(ds)).filter(isStaying);
        const alike = (await cluster.pods()).filter(
          (pod) => isStaying(pod) && matchesSelector({ app: name }, pod) && !own.includes(pod),
        );
        const byHand = alike.filter((pod) => !pod.metadata?.ownerReferences?.length);
        if (byHand.length > 0) return fail("stray", { pods: namesOf(byHand) });
        const bare = nodes.filter(
          (node) => !own.some((pod) => isReady(pod) && pod.spec?.nodeName === node.metadata?.name),
        );
        if (!ds.isRolledOut || bare.length > 0 || alike.length > 0) {
          return pending("waiting", { covered: nodes.length - bare.length, nodes: nodes.length });
        }
        const spread = (ds.template.spec.topologySpreadConstraints ?? []).length > 0;
        return pass({}, spread ? { remark: "spread" } : {});
      },
    },
  ],
});
