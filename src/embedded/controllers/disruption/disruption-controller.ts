import type { V1PodDisruptionBudget, V1PodDisruptionBudgetStatus } from "@kubernetes/client-node";
import { ApiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import { getScaledValueFromIntOrPercent, type IntOrString } from "../../api/int-or-string.ts";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { copy, equal, type KubeObject, type Wire } from "../../api/object.ts";
import { isPodReady, isPodTerminal, type Pod } from "../../api/pod.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { podDisruptionBudgets, pods } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";
import { expectedPods } from "./expected-pods.ts";

type Budget = KubeObject & Wire<V1PodDisruptionBudget>;
type Status = Wire<V1PodDisruptionBudgetStatus>;

const component = "controllermanager";
/** An evicted Pod that is still there after so long was not evicted after all. */
const deletionTimeout = 2 * 60_000;

/** Keeps count of how many Pods may be evicted (https://kubernetes.io/docs/tasks/run-application/configure-pdb/). */
export class DisruptionController implements Controller {
  readonly name = "disruption";
  private readonly queue: WorkQueue;
  private readonly stale: WorkQueue;
  private stops: (() => void)[] = [];

  constructor(private readonly context: ControllerContext) {
    const onError = (key: string, error: unknown) => {
      if (!(error instanceof ApiError)) context.log(`disruption ${key}: ${error}`);
    };
    this.queue = new WorkQueue(context.clock, (key) => this.sync(key), onError);
    this.stale = new WorkQueue(context.clock, (key) => this.clearStaleCondition(key), onError);
  }

  start(): void {
    const { store } = this.context;
    this.stops = [
      observe(store, podDisruptionBudgets, (budget) => this.queue.add(objectKey(budget))),
      observe(store, pods, (pod, previous) => this.onPod(pod as Pod, previous)),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
    this.stale.stop();
  }

  private onPod(pod: Pod, previous: KubeObject | undefined): void {
    if (staleIn(pod, 0) !== undefined) this.stale.add(objectKey(pod));
    const all = this.context.store.list(podDisruptionBudgets, pod.metadata.namespace) as readonly Budget[];
    const covering = all.filter((budget) => matchesLabelSelector(budget.spec?.selector, pod.metadata.labels));
    if (covering.length > 1 && previous === undefined) {
      const where = `${JSON.stringify(pod.metadata.namespace)}/${JSON.stringify(pod.metadata.name)}`;
      const first = JSON.stringify(covering[0]!.metadata.name);
      const message = `Pod ${where} matches multiple PodDisruptionBudgets.  Chose ${first} arbitrarily.`;
      this.context.events.record(pod, "Warning", "MultiplePodDisruptionBudgets", message, { component });
    }
    for (const budget of covering) this.queue.add(objectKey(budget));
  }

  private sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const budget = this.context.store.get(podDisruptionBudgets, namespace, name) as Budget | undefined;
    if (budget?.spec === undefined) return;
    try {
      this.count(budget);
    } catch (error) {
      if (error instanceof ApiError && error.reason === "Conflict") throw error;
      this.fail(budget, error instanceof Error ? error.message : String(error));
    }
  }

  private count(budget: Budget): void {
    const now = this.context.clock.now();
    const all = this.context.store.list(pods, budget.metadata.namespace) as readonly Pod[];
    const covered = all.filter((pod) => matchesLabelSelector(budget.spec?.selector, pod.metadata.labels));
    if (covered.length === 0) this.event(budget, "Normal", "NoPods", "No matching pods found");
    const { expected, desired } = this.wanted(budget, covered);
    const disrupted = this.stillDisrupted(budget, covered, now);
    const healthy = covered.filter(
      (pod) => pod.metadata.deletionTimestamp === undefined && !(pod.metadata.name! in disrupted) && isPodReady(pod),
    ).length;
    const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    const status: Status = {
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      observedGeneration: budget.metadata.generation,
      ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted as never } : {}),
      conditions: withCondition(budget, now, budget.metadata.generation, {
        status: allowed > 0 ? "True" : "False",
        reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
        message: "",
      }),
    };
    this.write(budget, status);
    const due = Object.values(disrupted).map((time) => Date.parse(time) + deletionTimeout - now);
    if (due.length > 0) this.queue.addAfter(objectKey(budget), Math.max(1, Math.min(...due) + 1));
  }

  private wanted(budget: Budget, covered: readonly Pod[]): { expected: number; desired: number } {
    const { maxUnavailable, minAvailable } = budget.spec!;
    if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desired: 0 };
    if (maxUnavailable === undefined && typeof minAvailable === "number") {
      return { expected: covered.length, desired: minAvailable };
    }
    let expected: number;
    try {
      const found = expectedPods(this.context, covered);
      expected = found.count;
      if (found.unmanaged.length > 0) this.tellOfUnmanaged(budget);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `Failed to calculate the number of expected pods: ${why}`;
      this.event(budget, "Warning", "CalculateExpectedPodCountFailed", message);
      throw error;
    }
    const scaled = (value: unknown) => getScaledValueFromIntOrPercent(value as IntOrString, expected, true);
    if (maxUnavailable === undefined) return { expected, desired: scaled(minAvailable) };
    return { expected, desired: Math.max(0, expected - scaled(maxUnavailable)) };
  }

  private tellOfUnmanaged(budget: Budget): void {
    const { matchLabels, matchExpressions } = budget.spec!.selector ?? {};
    const labels = Object.entries(matchLabels ?? {})
      .sort()
      .map(([key, value]) => `${key}: ${value},`)
      .join("");
    const terms = (matchExpressions ?? [])
      .map(
        (t) => `LabelSelectorRequirement{Key:${t.key},Operator:${t.operator},Values:[${(t.values ?? []).join(" ")}],},`,
      )
      .join("");
    const selector = `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${terms}},}`;
    const message =
      `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the ` +
      "status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these " +
      'pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    this.event(budget, "Warning", "UnmanagedPods", message);
  }

  /** Pods whose eviction was granted and that are not gone yet. */
  private stillDisrupted(budget: Budget, covered: readonly Pod[], now: number): Record<string, string> {
    const before = (budget.status?.disruptedPods ?? {}) as unknown as Record<string, string>;
    const still: Record<string, string> = {};
    for (const pod of covered) {
      const time = before[pod.metadata.name!];
      if (time === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      if (Date.parse(time) + deletionTimeout >= now) still[pod.metadata.name!] = time;
      else {
        const where = `${budget.metadata.namespace}/${budget.metadata.namespace}`;
        const message = `Pod was expected by PDB ${where} to be deleted but it wasn't`;
        this.context.events.record(pod, "Warning", "NotDeleted", message, { component });
      }
    }
    return still;
  }

  /** When the Pods cannot be counted, none may be evicted. */
  private fail(budget: Budget, message: string): void {
    const status = copy(budget.status ?? ({} as Status));
    status.disruptionsAllowed = 0;
    const about = { status: "False", reason: "SyncFailed", message } as const;
    status.conditions = withCondition(budget, this.context.clock.now(), status.observedGeneration, about);
    this.write(budget, status);
  }

  private write(budget: Budget, status: Status): void {
    if (equal(status, budget.status)) return;
    const { namespace, name } = budget.metadata;
    const target = { ...podDisruptionBudgets, namespace, name, subresource: "status" };
    unless(["NotFound"], () => this.context.api.update(target, { ...copy(budget), status }, this.context.as));
  }

  private event(budget: Budget, type: "Normal" | "Warning", reason: string, message: string): void {
    this.context.events.record(budget, type, reason, message, { component });
  }

  /** A Pod that was to be disrupted and was not is no target any more, after two minutes. */
  private clearStaleCondition(key: string): void {
    const { store, clock, api, as } = this.context;
    const { namespace, name } = splitKey(key);
    const pod = store.get(pods, namespace, name) as Pod | undefined;
    const wait = pod && staleIn(pod, clock.now());
    if (pod === undefined || wait === undefined) return;
    if (wait > 0) {
      this.stale.addAfter(key, wait);
      return;
    }
    const next = copy(pod);
    next.status!.conditions = next.status!.conditions!.map((c) =>
      c.type === "DisruptionTarget"
        ? { type: c.type, status: "False", lastProbeTime: null as never, lastTransitionTime: rfc3339(clock.now()) }
        : c,
    );
    unless(["NotFound", "Conflict"], () => api.update({ ...pods, namespace, name, subresource: "status" }, next, as));
  }
}

/** Milliseconds until a Pod's DisruptionTarget condition is stale; undefined where it has none that can be. */
function staleIn(pod: Pod, now: number): number | undefined {
  if (pod.metadata.deletionTimestamp !== undefined || isPodTerminal(pod)) return undefined;
  const target = pod.status?.conditions?.find((c) => c.type === "DisruptionTarget" && c.status === "True");
  if (target === undefined || target.reason === "TerminationByKubelet") return undefined;
  return Math.max(0, Date.parse(String(target.lastTransitionTime)) + deletionTimeout - now);
}

function withCondition(
  budget: Budget,
  now: number,
  observedGeneration: number | undefined,
  about: { status: "True" | "False"; reason: string; message: string },
): NonNullable<Status["conditions"]> {
  const all = budget.status?.conditions ?? [];
  const old = all.find((c) => c.type === "DisruptionAllowed");
  const lastTransitionTime = old?.status === about.status ? old.lastTransitionTime : rfc3339(now);
  const next = {
    type: "DisruptionAllowed",
    ...about,
    lastTransitionTime,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  return old === undefined ? [...all, next] : all.map((c) => (c === old ? next : c));
}
