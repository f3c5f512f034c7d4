import { type CheckContext, defineStep, fail, pass, pending, touches } from "k8s-practice";
import { deployment, namesOf, nodesFor, podsOfDeployment, written } from "../../workloads.ts";

const outside = [["spec", "nodeSelector"], ["spec", "template", "nodeSelector"], ["nodeSelector"]];

/** No selector in the template: was it sent to a place where it is no field? */
async function explainAbsent({ trace }: CheckContext, resource: string, name: string) {
  if (trace.available) {
    const sent = await trace.requests({ verbs: ["patch", "update", "create"], resource, name });
    const path = outside.find((place) => sent.some((request) => touches(request.body, place)));
    if (path !== undefined) return fail("outside", { path: path.join(".") });
  }
  return fail("absent");
}

export default defineStep({
  checks: [
    {
      id: "deployment-selector",
      async run(context) {
        const { template } = (await deployment(context, "web")).spec;
        const selector = written(template.spec.nodeSelector);
        if (selector === "") return explainAbsent(context, "deployments", "web");
        const nodes = await nodesFor(context, { ...template.spec, tolerations: [{ operator: "Exists" }] });
        return nodes.length === 0 ? pass({ selector }) : fail("matches", { selector, nodes: namesOf(nodes) });
      },
    },
    {
      id: "same-selector",
      needs: ["deployment-selector"],
      async run(context) {
        const { spec } = (await deployment(context, "web")).spec.template;
        const ds = await context.cluster.daemonSet("agent");
        const [theirs, ours] = [written(spec.nodeSelector), written(ds.template.spec.nodeSelector)];
        if (ours === "") return explainAbsent(context, "daemonsets", "agent");
        return ours === theirs ? pass({ selector: ours }) : fail("differs", { agent: ours, web: theirs });
      },
    },
    {
      id: "pending-pod",
      needs: ["same-selector"],
      async run(context) {
        const web = await deployment(context, "web");
        if ((web.spec.replicas ?? 1) === 0) return fail("zero");
        const pods = await podsOfDeployment(context, web);
        const waiting = pods.filter(
          (pod) =>
            written(pod.spec?.nodeSelector) === written(web.spec.template.spec.nodeSelector) &&
            pod.status?.phase === "Pending" &&
            pod.status.conditions?.some((c) => c.type === "PodScheduled" && c.reason === "Unschedulable"),
        );
        return waiting.length > 0 ? pass({ pods: namesOf(waiting) }) : pending("none");
      },
    },
    {
      id: "no-daemon",
      needs: ["same-selector"],
      async run({ cluster }) {
        const ds = await cluster.daemonSet("agent");
        if (!ds.isObserved) return pending("controller");
        const pods = (await cluster.podsOf(ds)).length;
        const { desiredNumberScheduled: desired } = ds.status;
        return desired === 0 && pods === 0 ? pass() : pending("counts", { desired, pods });
      },
    },
  ],
});
