import { type CheckContext, defineStep, fail, type LearnerRequest, pass, touches } from "k8s-practice";
import { agent, changes, changesTemplate, level, rolledOut, sameObject, strategyOf } from "../../rollout.ts";

/** Does a change switch the strategy's type to `type`? */
function switchesTo({ body }: LearnerRequest, type: string): boolean {
  const operations = Array.isArray(body) ? (body as { path?: string; value?: unknown }[]) : [];
  if (operations.some((o) => o.path === "/spec/updateStrategy/type" && o.value === type)) return true;
  const whole = operations.find((o) => o.path === "/spec/updateStrategy")?.value ?? strategyIn(body);
  return (whole as { type?: string } | undefined)?.type === type;
}

const strategyIn = (body: unknown) =>
  (body as { spec?: { updateStrategy?: unknown } } | undefined)?.spec?.updateStrategy;

const surges = ({ body }: LearnerRequest) =>
  touches(body, ["spec", "updateStrategy", "rollingUpdate", "maxSurge"]) ||
  (Array.isArray(body) &&
    body.some((o: { path?: string }) => o.path?.startsWith("/spec/updateStrategy/rollingUpdate")));

async function podDeletions({ trace }: CheckContext): Promise<LearnerRequest[]> {
  const sent = await trace.requests({ verbs: ["delete", "deletecollection"], resource: "pods", subresource: null });
  return sent.filter((request) => request.code < 300 && !request.uri.includes("dryRun="));
}

export default defineStep({
  checks: [
    sameObject,
    level("warn"),
    {
      id: "on-delete",
      needs: ["level"],
      question: { choices: ["waits", "next", "all"], answer: "waits" },
      async run(context) {
        const sent = await changes(context);
        const onDelete = sent.find((request) => switchesTo(request, "OnDelete"));
        if (onDelete === undefined) return fail("not-set");
        const template = sent.findLast(changesTemplate);
        if (template === undefined || template.at < onDelete.at) return fail("template-first");
        return pass();
      },
    },
    {
      id: "one-by-hand",
      needs: ["on-delete"],
      question: { choices: ["old", "new", "none"], answer: "new" },
      async run(context) {
        const sent = await changes(context);
        const template = sent.findLast(changesTemplate)!;
        const surge = sent.find((request) => request.at >= template.at && surges(request));
        const deleted = (await podDeletions(context)).filter(
          ({ at }) => at >= template.at && (surge === undefined || at <= surge.at),
        );
        const { desiredNumberScheduled: nodes } = (await agent(context)).status;
        if (deleted.length === 0) return fail("none");
        const all = deleted.length >= nodes || deleted.some(({ verb }) => verb === "deletecollection");
        return all ? fail("all", { nodes }) : pass({ deleted: deleted.length });
      },
    },
    {
      id: "surge",
      async run(context) {
        const { type, maxUnavailable, maxSurge } = strategyOf(await agent(context));
        if (type !== "RollingUpdate") return fail("on-delete-still");
        return maxSurge > 0 && maxUnavailable === 0 ? pass({ maxSurge }) : fail("no-surge", { maxUnavailable });
      },
    },
    rolledOut(["level", "surge"]),
  ],
});
