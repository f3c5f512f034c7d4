import { defineStep, fail, type LearnerRequest, pass, pending } from "k8s-practice";
import { covers, fleetOf, imageOf, imageProblem, isAccepted, namesOf, newImage, oldImage } from "../../fleets.ts";

const reads = ["get", "list", "watch"];

/** Was the state of both versions read, by a list or one by one? */
function sawBoth(requests: LearnerRequest[]): boolean {
  const isList = ({ name, resource }: LearnerRequest) =>
    (resource === "daemonsets" || resource === "pods") && name === undefined;
  const saw = (name: string) => requests.some((r) => r.resource === "daemonsets" && r.name === name);
  return requests.some(isList) || (saw("node-agent") && saw("node-agent-canary"));
}

export default defineStep({
  checks: [
    {
      id: "promoted",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        const image = imageOf(ds);
        if (image === newImage) return pass();
        return image === oldImage ? fail("still-old") : fail("other", { image });
      },
    },
    {
      id: "looked-first",
      question: { choices: ["desired", "ready", "age"], answer: "ready" },
      async run({ trace }) {
        const [here, everywhere] = await Promise.all([
          trace.requests({ verbs: reads }),
          trace.requests({ verbs: reads, namespace: null }),
        ]);
        const edits = await trace.requests({ verbs: ["patch", "update", "create", "delete"], resource: "daemonsets" });
        const first =
          edits.filter(isAccepted).find(({ name }) => name === "node-agent")?.at ?? Number.POSITIVE_INFINITY;
        const seen = [...here, ...everywhere].filter(({ code }) => code < 300);
        if (sawBoth(seen.filter(({ at }) => at < first))) return pass();
        return sawBoth(seen) ? pass({}, { remark: "afterwards" }) : fail("not-looked");
      },
    },
    {
      id: "old-version-kept",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        if (ds.spec.revisionHistoryLimit === 0) return fail("no-limit");
        const revisions = await cluster.list<{
          metadata: { ownerReferences?: { uid: string }[] };
          data?: { spec?: { template?: { spec?: { containers?: { image?: string }[] } } } };
        }>("apps/v1/controllerrevisions");
        const kept = revisions.some(
          ({ metadata, data }) =>
            metadata.ownerReferences?.some(({ uid }) => uid === ds.metadata.uid) === true &&
            data?.spec?.template?.spec?.containers?.[0]?.image === oldImage,
        );
        return kept ? pass() : fail("lost");
      },
    },
    {
      id: "everywhere",
      needs: ["promoted"],
      async run({ cluster }) {
        const stable = await cluster.daemonSet("node-agent");
        const canary = await cluster.daemonSet("node-agent-canary");
        if (imageOf(canary) !== newImage) return fail("canary-changed", { image: imageOf(canary) });
        if (!stable.isObserved || !canary.isObserved) return pending("controller");
        const nodes = await cluster.nodes();
        const eligible = [...(await cluster.eligibleNodes(stable)), ...(await cluster.eligibleNodes(canary))];
        const twice = nodes.filter((node) => eligible.filter((other) => other === node).length > 1);
        if (twice.length > 0) return fail("twice", { nodes: namesOf(twice), count: twice.length });
        const none = nodes.filter((node) => !eligible.includes(node));
        if (none.length > 0) return fail("uncovered", { nodes: namesOf(none), fleet: fleetOf(none[0]!) ?? "-" });
        const problem = imageProblem(await cluster.podsOf(stable));
        if (problem !== undefined) return fail("image", problem);
        const done =
          stable.isRolledOut &&
          canary.isRolledOut &&
          (await covers(cluster, stable, await cluster.eligibleNodes(stable))) &&
          (await covers(cluster, canary, await cluster.eligibleNodes(canary)));
        const ready = stable.status.numberReady + canary.status.numberReady;
        return done
          ? pass()
          : pending("waiting", { updated: stable.status.updatedNumberScheduled, ready, all: nodes.length });
      },
    },
  ],
});
