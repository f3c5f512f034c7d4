import { type Check, type CheckContext, fail, type LearnerRequest, pass, pending, touches } from "k8s-practice";

export const image = "busybox:1.36";
export const strategyPath = ["spec", "updateStrategy"];
export const templatePath = ["spec", "template"];

type Reader = CheckContext["cluster"];
export type DaemonSet = Awaited<ReturnType<Reader["daemonSet"]>>;
export type Pod = Awaited<ReturnType<Reader["pods"]>>[number];

export const agent = ({ cluster }: CheckContext): Promise<DaemonSet> => cluster.daemonSet("agent");

export const containerOf = ({ template }: DaemonSet) => template.spec.containers[0]!;

/** The value of LEVEL in the template; undefined when it has none. */
export const levelOf = (ds: DaemonSet): string | undefined =>
  containerOf(ds).env?.find(({ name }) => name === "LEVEL")?.value;

/** How many of `nodes` a field like maxUnavailable stands for: `2`, `50%`. Percentages are rounded up. */
export function nodesOf(value: number | string | undefined, nodes: number, otherwise: number): number {
  if (value === undefined) return otherwise;
  return typeof value === "number" ? value : Math.ceil((Number.parseFloat(value) * nodes) / 100);
}

/** The update strategy with its defaults, in nodes. */
export function strategyOf(ds: DaemonSet): { type: string; maxUnavailable: number; maxSurge: number; written: string } {
  const { type = "RollingUpdate", rollingUpdate = {} } = ds.spec.updateStrategy ?? {};
  const { maxUnavailable, maxSurge } = rollingUpdate as Record<string, number | string | undefined>;
  const nodes = ds.status.desiredNumberScheduled;
  return {
    type,
    maxUnavailable: nodesOf(maxUnavailable, nodes, 1),
    maxSurge: nodesOf(maxSurge, nodes, 0),
    written: String(maxUnavailable ?? 1),
  };
}

/** What the learner changed of the DaemonSet, oldest first: what was accepted, dry runs left out. */
export async function changes({ trace }: CheckContext): Promise<LearnerRequest[]> {
  const sent = await trace.requests({
    verbs: ["patch", "update", "create"],
    resource: "daemonsets",
    name: "agent",
    subresource: null,
  });
  return sent.filter((request) => request.code < 300 && !request.uri.includes("dryRun="));
}

export const changesTemplate = (request: LearnerRequest): boolean =>
  touches(request.body, templatePath) || isJson(request, "/spec/template/");
export const changesStrategy = (request: LearnerRequest): boolean =>
  touches(request.body, strategyPath) || isJson(request, "/spec/updateStrategy/");

/** Is it a JSON patch of something below `pointer`? */
function isJson({ body }: LearnerRequest, pointer: string): boolean {
  return Array.isArray(body) && body.some((operation: { path?: string }) => operation.path?.startsWith(pointer));
}

/** One node at a time, the old Pod first: the strategy that the task begins with. */
export const strategyKept: Check = {
  id: "strategy-kept",
  async run(context) {
    const { type, maxUnavailable, maxSurge, written } = strategyOf(await agent(context));
    if (type !== "RollingUpdate") return fail("on-delete");
    if (maxSurge > 0) return fail("surge");
    return maxUnavailable === 1 ? pass() : fail("more", { maxUnavailable: written });
  },
};

/** Is it still the object the task began with? A new one has no history. */
export const sameObject: Check = {
  id: "same-object",
  async run(context) {
    const ds = await agent(context);
    const revisions = await context.cluster.list<{
      metadata: { ownerReferences?: { uid: string }[] };
      data?: { spec?: { template?: { spec?: { containers?: { image?: string; env?: unknown[] }[] } } } };
    }>("apps/v1/controllerrevisions");
    const first = revisions.some(({ metadata, data }) => {
      const container = data?.spec?.template?.spec?.containers?.[0];
      const isOwn = metadata.ownerReferences?.some(({ uid }) => uid === ds.metadata.uid) === true;
      return isOwn && container?.image === image && (container.env ?? []).length === 0;
    });
    return first || !ds.isObserved ? pass() : fail("recreated");
  },
};

/** Is the latest template on every node? */
export const rolledOut = (needs: string[]): Check => ({
  id: "rolled-out",
  needs,
  async run(context) {
    const ds = await agent(context);
    if (!ds.isObserved) return pending("controller");
    const { desiredNumberScheduled: desired, updatedNumberScheduled: updated, numberAvailable: available } = ds.status;
    return ds.isRolledOut ? pass({ desired }) : pending("waiting", { desired, updated, available });
  },
});

/** LEVEL in the template is `wanted`. */
export const level = (wanted: string): Check => ({
  id: "level",
  async run(context) {
    const found = levelOf(await agent(context));
    if (found === wanted) return pass();
    return found === undefined ? fail("absent") : fail("differs", { level: found });
  },
});

const cannotStart = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"];

/** Why a Pod's image can't be had; undefined when it can, or nobody knows yet. */
export function imageProblem(pod: Pod): string | undefined {
  const reasons = (pod.status?.containerStatuses ?? []).map(({ state }) => state?.waiting?.reason ?? "");
  return reasons.find((reason) => cannotStart.includes(reason));
}
