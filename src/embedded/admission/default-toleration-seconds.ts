import type { AdmissionPlugin } from "../registry/core.ts";
import { createdPod } from "./pod-request.ts";

const keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const seconds = 300;

/** A Pod stays five minutes on a node that is not ready, unless it says otherwise (DefaultTolerationSeconds). */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate(request) {
    const spec = createdPod(request)?.spec;
    if (spec === undefined) return;
    const tolerations = spec.tolerations ?? [];
    for (const key of keys) {
      const covered = tolerations.some((t) => (!t.key || t.key === key) && (!t.effect || t.effect === "NoExecute"));
      if (!covered) tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds });
    }
    spec.tolerations = tolerations;
  },
};
