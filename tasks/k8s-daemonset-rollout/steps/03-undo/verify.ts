import { defineStep, fail, pass } from "k8s-practice";
import { agent, changes, containerOf, image, level, rolledOut, sameObject, strategyKept } from "../../rollout.ts";

/** kubectl rollout undo replaces the template as a whole. */
const isUndo = (body: unknown) => {
  const template = (body as { spec?: { template?: Record<string, unknown> } } | undefined)?.spec?.template;
  return template?.["$patch"] === "replace";
};

export default defineStep({
  checks: [
    strategyKept,
    sameObject,
    {
      id: "image-back",
      async run(context) {
        const own = containerOf(await agent(context)).image ?? "";
        if (own !== image) return fail("differs", { image, observed: own });
        if (!context.trace.available) return pass();
        const undone = (await changes(context)).some(({ body }) => isUndo(body));
        return undone ? pass() : pass({}, { remark: "by-hand" });
      },
    },
    level("info"),
    rolledOut(["strategy-kept", "image-back", "level"]),
  ],
});
