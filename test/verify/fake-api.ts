import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KubeClient } from "../../src/client/index.ts";

interface FakeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** Just enough of an API server to read from: lists with a field selector on the name, and watches. */
export class FakeApi {
  #version = 1;
  readonly #objects = new Map<string, FakeObject>();
  readonly #watchers = new Set<{ path: string; send(type: string, object: FakeObject): void; end(): void }>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  /** Requests seen, `METHOD path`. */
  readonly seen: string[] = [];
  /** Answers to give before the real ones: HTTP codes. */
  readonly failures: number[] = [];
  client!: KubeClient;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.client = new KubeClient({ server: `http://127.0.0.1:${port}` }, { patience: 1000 });
    return this;
  }

  async stop(): Promise<void> {
    this.client.close();
    for (const watcher of this.#watchers) watcher.end();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param collection `/apis/apps/v1/namespaces/lab/daemonsets` */
  put(collection: string, object: { kind: string; metadata: FakeObject["metadata"]; [field: string]: unknown }): void {
    const key = `${collection}/${object.metadata.name}`;
    const before = this.#objects.get(key);
    const whole: FakeObject = {
      apiVersion: "v1",
      ...object,
      metadata: { uid: `uid-${object.metadata.name}`, ...object.metadata, resourceVersion: String(++this.#version) },
    } as FakeObject;
    this.#objects.set(key, whole);
    for (const watcher of this.#watchers) {
      if (watcher.path === collection) watcher.send(before === undefined ? "ADDED" : "MODIFIED", whole);
    }
  }

  remove(collection: string, name: string): void {
    const object = this.#objects.get(`${collection}/${name}`);
    if (object === undefined) return;
    this.#objects.delete(`${collection}/${name}`);
    object.metadata.resourceVersion = String(++this.#version);
    for (const watcher of this.#watchers) if (watcher.path === collection) watcher.send("DELETED", object);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, "http://x");
    this.seen.push(`${request.method} ${url.pathname}`);
    const failure = this.failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure).end(JSON.stringify({ kind: "Status", reason: "Fake", message: "not now" }));
      return;
    }
    const { pathname } = url;
    if (url.searchParams.get("watch") === "true") {
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
      const since = Number(url.searchParams.get("resourceVersion"));
      const send = (type: string, object: FakeObject) => response.write(`${JSON.stringify({ type, object })}\n`);
      const watcher = { path: pathname, send, end: () => response.end() };
      this.#watchers.add(watcher);
      request.on("close", () => this.#watchers.delete(watcher));
      for (const [key, object] of this.#objects) {
        if (key.startsWith(`${pathname}/`) && Number(object.metadata.resourceVersion) > since) send("MODIFIED", object);
      }
      return;
    }
    const name = /metadata\.name=([^,]+)/.exec(url.searchParams.get("fieldSelector") ?? "")?.[1];
    const items = [...this.#objects]
      .filter(([key]) => key.startsWith(`${pathname}/`) && !key.slice(pathname.length + 1).includes("/"))
      .map(([, object]) => object)
      .filter((object) => name === undefined || object.metadata.name === name);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ kind: "List", metadata: { resourceVersion: String(this.#version) }, items }));
  }
}
