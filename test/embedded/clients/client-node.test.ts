import { AppsV1Api, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap, Watch } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/embedded/cluster.ts";

let cluster: EmbeddedCluster;
let config: KubeConfig;
let core: CoreV1Api;
const namespace = "default";
const path = `/api/v1/namespaces/${namespace}/configmaps`;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ nodes: [{ name: "one", controlPlane: false }] });
  config = new KubeConfig();
  config.loadFromString(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
});
afterAll(() => cluster.close());

const create = (name: string, data: Record<string, string> = {}) =>
  core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });

describe("@kubernetes/client-node", () => {
  it("reads and writes typed objects", async () => {
    const created = await create("typed", { a: "1" });
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const replaced = await core.replaceNamespacedConfigMap({
      name: "typed",
      namespace,
      body: { ...created, data: {} },
    });
    expect(replaced.metadata?.resourceVersion).not.toBe(created.metadata?.resourceVersion);
    await expect(core.readNamespacedConfigMap({ name: "none", namespace })).rejects.toMatchObject({ code: 404 });
    const apps = config.makeApiClient(AppsV1Api);
    const app = { app: "a" };
    const template = {
      metadata: { labels: app },
      spec: { containers: [{ name: "a", image: "busybox", command: ["sleep", "1d"] }] },
    };
    const spec = { selector: { matchLabels: app }, template };
    await apps.createNamespacedDaemonSet({ namespace, body: { metadata: { name: "a" }, spec } });
    await expect
      .poll(async () => (await apps.readNamespacedDaemonSetStatus({ name: "a", namespace })).status?.numberReady, {
        timeout: 10_000,
      })
      .toBe(1);
  });

  it("watches: every change, in order, from where it was", async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const seen: string[] = [];
    const watch = new Watch(config);
    const since = { resourceVersion: metadata?.resourceVersion };
    const controller = await watch.watch(
      path,
      since,
      (phase, object: V1ConfigMap) => {
        if (object.metadata?.name?.startsWith("w")) seen.push(`${phase} ${object.metadata.name}`);
      },
      () => {},
    );
    await create("w1");
    await core.patchNamespacedConfigMap({
      name: "w1",
      namespace,
      body: [{ op: "add", path: "/data", value: { a: "1" } }],
    });
    await core.deleteNamespacedConfigMap({ name: "w1", namespace });
    await create("w2");
    await expect.poll(() => seen).toEqual(["ADDED w1", "MODIFIED w1", "DELETED w1", "ADDED w2"]);
    controller.abort();
  });

  it("keeps an informer's cache true, and true again after it was stopped", async () => {
    const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
    const events: string[] = [];
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, (object) => events.push(`${verb} ${object.metadata?.name}`));
    }
    informer.on("error", () => void informer.start());
    await create("i1");
    await informer.start();
    expect(events).toContain("add i1");
    await core.replaceNamespacedConfigMap({
      name: "i1",
      namespace,
      body: { metadata: { name: "i1" }, data: { a: "2" } },
    });
    await create("i2");
    await core.deleteNamespacedConfigMap({ name: "i1", namespace });
    await expect.poll(() => events).toEqual(expect.arrayContaining(["update i1", "add i2", "delete i1"]));
    await informer.stop();
    await create("i3");
    await informer.start();
    await expect.poll(() => informer.list().map(({ metadata }) => metadata?.name)).toContain("i3");
    expect(informer.list().map(({ metadata }) => metadata?.name)).not.toContain("i1");
    await informer.stop();
  });
});
