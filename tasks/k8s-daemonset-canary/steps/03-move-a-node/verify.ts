import { type CheckContext, defineStep, fail, pass, pending } from "k8s-practice";
import { covers, fleetOf, isAccepted, isControlPlane, nameOf, namesOf } from "../../fleets.ts";

const writes = ["patch", "update", "create", "delete", "deletecollection"];
const names = ["node-agent", "node-agent-canary"];

/** Without a trace: which DaemonSet was written by somebody other than its controller since the step began? */
async function editedSince({ cluster, since }: CheckContext): Promise<string | undefined> {
  for (const name of names) {
    const { metadata } = await cluster.daemonSet(name);
    const isEdit = (entry: { subresource?: string; time?: unknown }) =>
      entry.subresource === undefined && Date.parse(String(entry.time)) > since;
    if (metadata.managedFields?.some(isEdit)) return name;
  }
  return undefined;
}

export default defineStep({
  checks: [
    {
      id: "controllers-untouched",
      async run(context) {
        const { trace } = context;
        for (const name of names) await context.cluster.daemonSet(name);
        if (!trace.available) {
          const name = await editedSince(context);
          return name === undefined ? pass() : fail("edited", { name });
        }
        const edits = (await trace.requests({ verbs: writes, resource: "daemonsets" })).filter(isAccepted);
        if (edits[0] !== undefined) return fail("edited", { name: edits[0].name ?? "node-agent" });
        const pods = (
          await trace.requests({ verbs: ["create", "delete", "deletecollection"], resource: "pods" })
        ).filter(isAccepted);
        return pods[0] === undefined ? pass() : fail("pods-by-hand", { verb: pods[0].verb });
      },
    },
    {
      id: "relabelled",
      async run({ cluster }) {
        const nodes = await cluster.nodes();
        const lost = nodes.filter((node) => !["stable", "canary"].includes(fleetOf(node) ?? ""));
        const canary = nodes.filter((node) => fleetOf(node) === "canary");
        const left = nodes.filter((node) => fleetOf(node) !== "canary" && !isControlPlane(node));
        if (lost.length > 0) {
          return fail("no-fleet", { nodes: namesOf(lost), value: fleetOf(lost[0]!) ?? "-", count: lost.length });
        }
        if (canary.some(isControlPlane)) return fail("control-plane", { node: nameOf(canary.find(isControlPlane)!) });
        return left.length === 0 ? pass() : fail("not-moved", { canary: namesOf(canary), left: namesOf(left) });
      },
    },
    {
      id: "followed",
      needs: ["controllers-untouched", "relabelled"],
      async run({ cluster }) {
        const nodes = await cluster.nodes();
        const counts = { stable: 0, canary: 0 };
        let done = true;
        for (const [name, fleet] of [
          ["node-agent", "stable"],
          ["node-agent-canary", "canary"],
        ] as const) {
          const ds = await cluster.daemonSet(name);
          if (!ds.isObserved) return pending("controller");
          const own = nodes.filter((node) => fleetOf(node) === fleet);
          done &&= await covers(cluster, ds, own);
          counts[fleet] = ds.status.numberReady;
        }
        return done ? pass(counts) : pending("waiting", counts);
      },
    },
  ],
});
