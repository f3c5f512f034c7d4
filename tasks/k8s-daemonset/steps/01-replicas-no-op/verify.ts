import { defineStep, fail, type LearnerRequest, pass, pending, touches, unknown } from "k8s-practice";

const replicas = ["spec", "replicas"];
/** Where else people put it. */
const elsewhere = [
  ["replicas"],
  ["spec", "template", "replicas"],
  ["spec", "template", "spec", "replicas"],
  ["spec", "updateStrategy", "replicas"],
  ["metadata", "replicas"],
];

const isDryRun = (request: LearnerRequest) => request.uri.includes("dryRun=");
const isAccepted = (request: LearnerRequest) => request.code < 300;

/**
 * The audit log of a real API server holds what was decoded of a replaced object, without the fields it does not know:
 * whether a replace with validation off carried spec.replicas can't be seen there.
 */
const mayHaveHidden = (request: LearnerRequest) =>
  request.verb === "update" && isAccepted(request) && /fieldValidation=(Ignore|Warn)/i.test(request.uri);

export default defineStep({
  checks: [
    {
      id: "sent",
      question: { choices: ["scaled", "rejected", "ignored"], answer: "ignored" },
      async run({ trace }) {
        const about = { resource: "daemonsets", name: "node-agent", verbs: ["patch", "update", "create"] };
        const sent = await trace.requests({ ...about, subresource: null });
        const withReplicas = sent.filter((request) => touches(request.body, replicas));
        if (withReplicas.some((request) => isAccepted(request) && !isDryRun(request))) return pass();
        const [refused] = withReplicas.filter((request) => !isAccepted(request)).slice(-1);
        if (refused !== undefined) return fail("refused", { code: refused.code, answer: refused.message ?? "" });
        if (withReplicas.length > 0) return fail("dry-run");
        const [path] = elsewhere.filter((place) => sent.some((request) => touches(request.body, place)));
        if (path !== undefined) return fail("elsewhere", { path: path.join(".") });
        if (sent.some(mayHaveHidden)) return unknown();
        const scaled = await trace.requests({ ...about, verbs: ["get", "patch", "update"], subresource: "scale" });
        return scaled.length > 0 ? fail("scale") : fail("not-sent", { count: sent.filter(isAccepted).length });
      },
    },
    {
      id: "not-stored",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        const stored = (ds.spec as { replicas?: number }).replicas;
        return stored === undefined ? pass() : fail("stored", { replicas: stored });
      },
    },
    {
      id: "desired-equals-eligible",
      needs: ["not-stored"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        if (!ds.isObserved) return pending("controller");
        const desired = ds.status.desiredNumberScheduled;
        const eligible = (await cluster.eligibleNodes(ds)).length;
        return desired === eligible ? pass({ desired }) : pending("differs", { desired, eligible });
      },
    },
  ],
});
