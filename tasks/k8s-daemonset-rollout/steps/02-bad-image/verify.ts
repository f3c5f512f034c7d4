import { defineStep, fail, pass, pending } from "k8s-practice";
import { agent, containerOf, image, imageProblem, strategyKept } from "../../rollout.ts";

export default defineStep({
  checks: [
    strategyKept,
    {
      id: "bad-image",
      async run(context) {
        const ds = await agent(context);
        const own = containerOf(ds).image ?? "";
        if (own === image) return fail("unchanged", { image });
        const pods = (await context.cluster.podsOf(ds)).filter((pod) => pod.spec?.containers[0]?.image === own);
        const reason = pods.map(imageProblem).find((problem) => problem !== undefined);
        if (reason !== undefined) return pass({ image: own, reason });
        const runs = pods.some((pod) =>
          pod.status?.containerStatuses?.some(({ state }) => state?.running !== undefined),
        );
        return runs ? fail("exists", { image: own }) : pending("pulling", { image: own });
      },
    },
    {
      id: "stopped",
      needs: ["strategy-kept", "bad-image"],
      async run(context) {
        const ds = await agent(context);
        if (!ds.isObserved) return pending("controller");
        const { desiredNumberScheduled: desired, numberAvailable: available } = ds.status;
        const broken = (await context.cluster.podsOf(ds)).filter((pod) => imageProblem(pod) !== undefined);
        if (broken.length > 1) return fail("several", { broken: broken.length, desired });
        const done = broken.length === 1 && available === desired - 1 && ds.status.updatedNumberScheduled === 1;
        return done ? pass({ available, desired }) : pending("waiting", { available, desired });
      },
    },
  ],
});
