/** What `import … from "k8s-practice"` gives to a task's verify.ts. */

export {
  type Check,
  type CheckContext,
  defineStep,
  type NodeBaseline,
  type Question,
  type StepVerifier,
} from "./define-step.ts";
export type { LearnerRequest, LearnerTrace, RequestFilter } from "./learner-trace.ts";
export type { ClusterReader, ListOptions } from "./reader/cluster-reader.ts";
export { eligibleNodes, isEligible, matchesSelector, tolerates } from "./reader/eligible-nodes.ts";
export type { ObservedDaemonSet } from "./reader/observed-daemon-set.ts";
export { touches } from "./touches.ts";
export { fail, type ObjectReference, pass, pending, unknown, type Values, type Verdict } from "./verdict.ts";
