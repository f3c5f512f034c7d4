import { type CheckContext, defineStep, fail, pass, pending, tolerates, touches } from "k8s-practice";

const taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
/** Places where tolerations are no field. */
const outside = [
  ["spec", "tolerations"],
  ["spec", "template", "tolerations"],
  ["tolerations"],
  ["metadata", "tolerations"],
  ["spec", "template", "metadata", "tolerations"],
];
const cannotStart = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError"];

/** Names of the nodes that carried the control plane's taint when the task began. */
async function controlPlanes({ cluster, baseline }: CheckContext): Promise<string[]> {
  if (baseline !== undefined) {
    return baseline.filter(({ taints }) => taints.some((t) => t.key === taint.key)).map(({ name }) => name);
  }
  const nodes = await cluster.nodes();
  return nodes.filter((n) => n.metadata?.labels?.[taint.key] !== undefined).map((n) => n.metadata!.name!);
}

/** A Pod that was put onto the control plane past the scheduler. */
async function podByHand(context: CheckContext): Promise<string | undefined> {
  const { cluster, trace } = context;
  const nodes = await controlPlanes(context);
  const isThere = (spec: { nodeName?: string } | undefined) => nodes.includes(spec?.nodeName ?? "");
  const pod = (await cluster.pods()).find(
    (p) => isThere(p.spec) && !p.metadata?.ownerReferences?.some((o) => o.controller),
  );
  if (pod !== undefined || !trace.available) return pod?.metadata?.name;
  // The DaemonSet adopts a Pod with its labels, and removes it from a node where it does not belong.
  const created = await trace.requests({ verbs: ["create", "patch"], resource: "pods" });
  return created.find((r) => r.code < 300 && isThere((r.body as { spec?: { nodeName?: string } } | undefined)?.spec))
    ?.name;
}

export default defineStep({
  checks: [
    {
      id: "selector-gone",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        const selector = Object.entries(ds.template.spec.nodeSelector ?? {}).filter(
          ([key]) => key !== "kubernetes.io/os",
        );
        if (selector.length === 0) return pass();
        return fail("still-there", { selector: selector.map(([key, value]) => `${key}=${value}`).join(",") });
      },
    },
    {
      id: "taint-kept",
      async run(context) {
        const nodes = await context.cluster.nodes();
        const bare = (await controlPlanes(context)).filter((name) => {
          const taints = nodes.find((node) => node.metadata?.name === name)?.spec?.taints ?? [];
          return !taints.some((t) => t.key === taint.key && t.effect === taint.effect);
        });
        return bare.length === 0 ? pass() : fail("removed", { nodes: bare.join(", ") });
      },
    },
    {
      id: "toleration",
      async run(context) {
        const { cluster, trace } = context;
        const ds = await cluster.daemonSet("node-agent");
        const tolerations = ds.template.spec.tolerations ?? [];
        const working = tolerations.filter((toleration) => tolerates(toleration, taint));
        if (working.some((toleration) => toleration.key)) return pass();
        if (working.length > 0) return pass({}, { remark: "everything" });

        const ours = tolerations.find((toleration) => toleration.key === taint.key);
        if (ours?.effect && ours.effect !== taint.effect) {
          return fail("wrong-effect", { effect: ours.effect });
        }
        if (ours !== undefined) return fail("equal-value", { value: ours.value ?? "" });
        const [other] = tolerations.filter((toleration) => toleration.key);
        if (other !== undefined) return fail("wrong-key", { key: other.key });
        if (trace.available) {
          const sent = await trace.requests({
            verbs: ["patch", "update", "create"],
            resource: "daemonsets",
            name: "node-agent",
          });
          const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
          if (path !== undefined) return fail("outside", { path: path.join(".") });
        }
        const pod = await podByHand(context);
        return pod === undefined ? fail("absent", { observed: "no tolerations" }) : fail("by-hand", { pod });
      },
    },
    {
      id: "everywhere",
      needs: ["selector-gone", "taint-kept", "toleration"],
      async run(context) {
        const { cluster } = context;
        const ds = await cluster.daemonSet("node-agent");
        if (!ds.isObserved) return pending("controller");
        const nodes = await cluster.nodes();
        const eligible = await cluster.eligibleNodes(ds);
        const left = nodes.filter((node) => !eligible.includes(node)).map((node) => node.metadata?.name);
        if (left.length > 0) return fail("kept-away", { nodes: left.join(", "), all: nodes.length });

        const pods = await cluster.podsOf(ds);
        const waiting = pods
          .flatMap((pod) =>
            (pod.status?.containerStatuses ?? []).map((status) => ({ pod, state: status.state?.waiting })),
          )
          .find(({ state }) => cannotStart.includes(state?.reason ?? ""));
        if (waiting !== undefined) {
          const { name = "", uid } = waiting.pod.metadata ?? {};
          const about = { kind: "Pod", name, uid, namespace: cluster.namespace };
          return fail("image", { pod: name, reason: waiting.state!.reason }, { about });
        }
        const isReady = (pod: (typeof pods)[number]) =>
          pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;
        const covered = nodes.every((node) =>
          pods.some((pod) => pod.spec?.nodeName === node.metadata?.name && isReady(pod)),
        );
        const { desiredNumberScheduled: desired, numberReady: ready } = ds.status;
        const done = covered && ds.isRolledOut && desired === nodes.length && ready === nodes.length;
        return done ? pass({ desired }) : pending("rollout", { desired, ready, all: nodes.length });
      },
    },
  ],
});
