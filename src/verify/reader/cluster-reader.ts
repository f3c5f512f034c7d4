import type { CoreV1Event, V1DaemonSet, V1Node, V1Pod } from "@kubernetes/client-node";
import type { KubeClient } from "../../client/index.ts";
import type { Wire } from "../../embedded/api/object.ts";
import { fail, type ObjectReference, VerdictReached } from "../verdict.ts";
import { eligibleNodes } from "./eligible-nodes.ts";
import { ObservedDaemonSet } from "./observed-daemon-set.ts";

export interface ListOptions {
  labelSelector?: string;
  fieldSelector?: string;
  /** Absent: the task's namespace; null: cluster-scoped, or all namespaces. */
  namespace?: string | null;
}

interface Listed {
  metadata: { resourceVersion: string };
  items: { metadata: { name: string; uid: string; resourceVersion: string; namespace?: string } }[];
}

/** One collection that a check looked at: what to watch to learn that the check may come out differently. */
export interface Read {
  path: string;
  query: Record<string, string | undefined>;
  resourceVersion: string;
  /** Changes when an object of the collection does. */
  fingerprint: string;
}

/**
 * What a check sees of the cluster: each collection is read once, so that a check that asks twice gets the same answer
 * twice. Made anew for each try.
 */
export class ClusterReader {
  readonly #lists = new Map<string, Promise<Listed>>();
  readonly #reads: Read[] = [];
  #about: ObjectReference | undefined;

  constructor(
    private readonly client: KubeClient,
    readonly namespace: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Collections read so far. */
  get reads(): readonly Read[] {
    return this.#reads;
  }

  /** The object asked for last by name: what a failure is about unless it says otherwise. */
  get about(): ObjectReference | undefined {
    return this.#about;
  }

  /** Objects of a resource, `v1/pods` or `apps/v1/daemonsets`, in the API server's order. */
  async list<T = Record<string, unknown>>(resource: string, options: ListOptions = {}): Promise<T[]> {
    const path = collectionPath(resource, options.namespace === undefined ? this.namespace : options.namespace);
    const query = { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
    return (await this.#list(path, query)).items as T[];
  }

  /** The object, or undefined when there is none. */
  async find<T = Record<string, unknown>>(
    resource: string,
    name: string,
    options: ListOptions = {},
  ): Promise<T | undefined> {
    // As a list of at most one: it carries the version to watch from, even when the object is missing.
    const [object] = await this.list<T & Listed["items"][number] & { kind?: string }>(resource, {
      ...options,
      fieldSelector: `metadata.name=${name}`,
    });
    this.#about = {
      kind: kindOf(resource),
      name,
      uid: object?.metadata.uid,
      ...(options.namespace === null ? {} : { namespace: options.namespace ?? this.namespace }),
    };
    return object;
  }

  /** The object; a missing one ends the check with the failure `missing`. */
  async get<T = Record<string, unknown>>(resource: string, name: string, options: ListOptions = {}): Promise<T> {
    const object = await this.find<T>(resource, name, options);
    if (object === undefined) {
      const kind = kindOf(resource);
      throw new VerdictReached(
        fail("missing", { kind, name, resource: kind.toLowerCase(), namespace: this.namespace }),
      );
    }
    return object;
  }

  /** A DaemonSet of the task's namespace; a missing one ends the check with the failure `missing`. */
  async daemonSet(name: string): Promise<ObservedDaemonSet> {
    return new ObservedDaemonSet(await this.get<Wire<V1DaemonSet>>("apps/v1/daemonsets", name));
  }

  async findDaemonSet(name: string): Promise<ObservedDaemonSet | undefined> {
    const object = await this.find<Wire<V1DaemonSet>>("apps/v1/daemonsets", name);
    return object === undefined ? undefined : new ObservedDaemonSet(object);
  }

  async nodes(): Promise<Wire<V1Node>[]> {
    return this.list<Wire<V1Node>>("v1/nodes", { namespace: null });
  }

  /** The nodes this DaemonSet should run on, by our own reading of the rules. */
  async eligibleNodes(daemonSet: ObservedDaemonSet): Promise<Wire<V1Node>[]> {
    return eligibleNodes(daemonSet.template.spec, await this.nodes());
  }

  async pods(options: ListOptions = {}): Promise<Wire<V1Pod>[]> {
    return this.list<Wire<V1Pod>>("v1/pods", options);
  }

  /** Pods whose controller is this object. */
  async podsOf(owner: { metadata: { uid?: string } }): Promise<Wire<V1Pod>[]> {
    const pods = await this.pods();
    return pods.filter((pod) =>
      pod.metadata?.ownerReferences?.some((ref) => ref.controller === true && ref.uid === owner.metadata.uid),
    );
  }

  /** An object's events, oldest first. */
  async events(object: ObjectReference): Promise<Wire<CoreV1Event>[]> {
    const fieldSelector = [
      `involvedObject.kind=${object.kind}`,
      `involvedObject.name=${object.name}`,
      ...(object.uid === undefined ? [] : [`involvedObject.uid=${object.uid}`]),
    ].join(",");
    const events = await this.list<Wire<CoreV1Event>>("v1/events", {
      fieldSelector,
      namespace: object.namespace ?? "default",
    });
    return events.sort((a, b) => eventTime(a) - eventTime(b));
  }

  /** The state of a collection that another reader read. */
  async fingerprint({ path, query }: Read): Promise<string> {
    return fingerprint(await this.#list(path, query));
  }

  #list(path: string, query: Record<string, string | undefined>): Promise<Listed> {
    const key = `${path}?${query["labelSelector"] ?? ""}&${query["fieldSelector"] ?? ""}`;
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.client.call<Listed>({ path, query, signal: this.signal }).then((answer) => {
        const read = {
          path,
          query,
          resourceVersion: answer.metadata.resourceVersion,
          fingerprint: fingerprint(answer),
        };
        this.#reads.push(read);
        return answer;
      });
      this.#lists.set(key, list);
    }
    return list;
  }
}

/** `/api/v1/namespaces/lab/pods` of `v1/pods`; `/apis/apps/v1/namespaces/lab/daemonsets` of `apps/v1/daemonsets`. */
export function collectionPath(resource: string, namespace: string | null): string {
  const parts = resource.split("/");
  const plural = parts.pop()!;
  const version = parts.length === 1 ? `/api/${parts[0]}` : `/apis/${parts.join("/")}`;
  return namespace === null ? `${version}/${plural}` : `${version}/namespaces/${namespace}/${plural}`;
}

function fingerprint(list: Listed): string {
  return list.items.map(({ metadata }) => `${metadata.uid}:${metadata.resourceVersion}`).join(",");
}

const kinds: Record<string, string> = {
  daemonsets: "DaemonSet",
  replicasets: "ReplicaSet",
  statefulsets: "StatefulSet",
  cronjobs: "CronJob",
  configmaps: "ConfigMap",
  priorityclasses: "PriorityClass",
  serviceaccounts: "ServiceAccount",
  persistentvolumeclaims: "PersistentVolumeClaim",
  persistentvolumes: "PersistentVolume",
  poddisruptionbudgets: "PodDisruptionBudget",
  controllerrevisions: "ControllerRevision",
  ingresses: "Ingress",
  networkpolicies: "NetworkPolicy",
};

/** `DaemonSet` of `apps/v1/daemonsets`. */
function kindOf(resource: string): string {
  const plural = resource.slice(resource.lastIndexOf("/") + 1);
  return kinds[plural] ?? plural.charAt(0).toUpperCase() + plural.slice(1).replace(/s$/, "");
}

function eventTime(event: Wire<CoreV1Event>): number {
  return Date.parse(event.lastTimestamp ?? event.eventTime ?? event.metadata?.creationTimestamp ?? "") || 0;
}
