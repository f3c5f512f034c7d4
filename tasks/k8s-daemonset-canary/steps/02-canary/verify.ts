import { type CheckContext, defineStep, fail, pass, pending } from "k8s-practice";
import {
  covers,
  type DaemonSet,
  fleetOf,
  imageOf,
  imageProblem,
  namesOf,
  newImage,
  oldImage,
  sameNodes,
} from "../../fleets.ts";

/** Does the first DaemonSet's selector catch the Pods of the second? */
function catches({ spec: { selector } }: DaemonSet, { template }: DaemonSet): boolean {
  const labels = template.metadata?.labels ?? {};
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === "In") return value !== undefined && values.includes(value);
      if (operator === "NotIn") return value === undefined || !values.includes(value);
      return (value !== undefined) === (operator === "Exists");
    })
  );
}

/** There is no canary: what is there instead? */
async function explainAbsent({ cluster }: CheckContext) {
  const all = await cluster.list<{ metadata: { name: string } }>("apps/v1/daemonsets");
  const others = all.filter(({ metadata }) => metadata.name !== "node-agent");
  const deployments = await cluster.list<{ metadata: { name: string } }>("apps/v1/deployments");
  const stable = await cluster.daemonSet("node-agent");
  if (deployments.length > 0) return fail("deployment", { name: namesOf(deployments) });
  if (others.length > 0) return fail("other-name", { name: namesOf(others) });
  return imageOf(stable) === oldImage ? fail("absent") : fail("in-place", { image: imageOf(stable) });
}

export default defineStep({
  checks: [
    {
      id: "second-daemonset",
      async run(context) {
        const { cluster } = context;
        const canary = await cluster.findDaemonSet("node-agent-canary");
        if (canary === undefined) return explainAbsent(context);
        const stable = await cluster.daemonSet("node-agent");
        return catches(stable, canary) || catches(canary, stable) ? fail("overlap") : pass();
      },
    },
    {
      id: "one-fleet-each",
      needs: ["second-daemonset"],
      async run({ cluster }) {
        const nodes = await cluster.nodes();
        for (const [name, fleet] of [
          ["node-agent-canary", "canary"],
          ["node-agent", "stable"],
        ] as const) {
          const own = nodes.filter((node) => fleetOf(node) === fleet);
          const eligible = await cluster.eligibleNodes(await cluster.daemonSet(name));
          if (own.length === 0) return fail("empty-fleet", { fleet });
          if (!sameNodes(own, eligible)) {
            return fail("wrong-nodes", { name, fleet, own: namesOf(own), eligible: namesOf(eligible) });
          }
        }
        return pass();
      },
    },
    {
      id: "images",
      needs: ["second-daemonset"],
      async run({ cluster }) {
        const image = imageOf(await cluster.daemonSet("node-agent-canary"));
        const stable = imageOf(await cluster.daemonSet("node-agent"));
        if (stable !== oldImage) return fail("stable-changed", { image: stable });
        if (image === oldImage) return fail("still-old");
        return image === newImage || image === `docker.io/library/${newImage}` ? pass() : fail("other", { image });
      },
    },
    {
      id: "both-ready",
      needs: ["one-fleet-each", "images"],
      async run({ cluster }) {
        const nodes = await cluster.nodes();
        const stable = await cluster.daemonSet("node-agent");
        const canary = await cluster.daemonSet("node-agent-canary");
        if (!stable.isObserved || !canary.isObserved) return pending("controller");
        const problem = imageProblem(await cluster.podsOf(canary));
        if (problem !== undefined) return fail("image", problem);
        const done =
          (await covers(cluster, stable, await cluster.eligibleNodes(stable))) &&
          (await covers(cluster, canary, await cluster.eligibleNodes(canary)));
        const values = { old: stable.status.numberReady, new: canary.status.numberReady, all: nodes.length };
        return done && values.old + values.new === values.all ? pass(values) : pending("waiting", values);
      },
    },
  ],
});
