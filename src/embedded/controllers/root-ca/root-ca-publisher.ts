import { equal } from "../../api/object.ts";
import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { configMaps, namespaces } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

const configMapName = "kube-root-ca.crt";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Keeps the cluster's CA certificate in a ConfigMap `kube-root-ca.crt` of every namespace. */
export class RootCaPublisher implements Controller {
  readonly name = "root-ca-certificate-publisher-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  /** @param caCertificate PEM */
  constructor(
    private readonly context: ControllerContext,
    private readonly caCertificate: string,
  ) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`root CA of ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    this.stops.push(
      observe(store, namespaces, (namespace, _previous, deleted) => {
        if (!deleted) this.queue.add(namespace.metadata.name!);
      }),
      store.watch(configMaps, ({ object, type }) => {
        if (object.metadata.name === configMapName && type !== "ADDED") this.queue.add(object.metadata.namespace!);
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(name: string): void {
    const { store, api, as } = this.context;
    const namespace = store.get(namespaces, "", name);
    if (namespace === undefined || namespace.metadata.deletionTimestamp) return;
    const data = { "ca.crt": this.caCertificate };
    const annotations = { "kubernetes.io/description": description };
    const target = { ...configMaps, namespace: name, name: configMapName };
    const existing = store.get(configMaps, name, configMapName);
    if (existing === undefined) {
      const metadata = { name: configMapName, namespace: name, annotations };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
      unless(["AlreadyExists", "NotFound", "Forbidden"], () => api.create(target, body, as));
    } else if (!existing.metadata.deletionTimestamp && !equal(existing["data"], data)) {
      unless(["NotFound", "Conflict"], () => api.update(target, { ...existing, data }, as));
    }
  }
}
