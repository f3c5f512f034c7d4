import type { IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedCluster, servedCluster } from "../../fixture/served-cluster.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const limits = {
  handshakeTimeout: 300,
  headersTimeout: 300,
  requestTimeout: 400,
  idleTimeout: 1000,
  maxUnread: 1024 * 1024,
};
let served: ServedCluster;
let port: number;

beforeAll(async () => {
  served = await servedCluster({ limits });
  port = Number(new URL(served.cluster.url).port);
});
afterAll(() => served.close());

const isWell = async () => expect((await served.ask("GET", configMaps)).code).toBe(200);
const closed = (socket: Socket | TLSSocket) =>
  new Promise<string>((resolve) => {
    let text = "";
    socket.on("error", () => {}).on("close", () => resolve(text));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  });
const secure = () =>
  connectTls({ host: "127.0.0.1", port, ca: served.ca, ...served.admin, ALPNProtocols: ["http/1.1"] });

describe("a client", () => {
  it("that connects and says nothing is let go, before and after TLS", async () => {
    const silent = Array.from({ length: 20 }, () => closed(connect({ host: "127.0.0.1", port })));
    const afterTls = closed(secure());
    await isWell();
    await Promise.all([...silent, afterTls]);
  });

  it("that sends its header a byte at a time is let go", async () => {
    const socket = secure();
    const end = closed(socket);
    socket.write("GET / HTTP/1.1\r\nx: ");
    const drip = setInterval(() => socket.write("y"), 50);
    await end;
    clearInterval(drip);
    await isWell();
  });

  it("that does not send the body it has announced is told so and let go", async () => {
    const socket = secure();
    const end = closed(socket);
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    expect(await end).toContain("HTTP/1.1 408");
    await isWell();
  });

  it("that goes in the middle of its body leaves nothing behind", async () => {
    const socket = secure();
    const end = closed(socket);
    const body = `{"metadata":{"name":"half"}}`;
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
    await end;
    await isWell();
    expect((await served.ask("GET", `${configMaps}/half`)).code).toBe(404);
  });

  it("with an idle HTTP/2 connection is let go, with a watch in it not", async () => {
    const session = connectHttp2(served.cluster.url, { ca: served.ca, ...served.admin });
    const watching = connectHttp2(served.cluster.url, { ca: served.ca, ...served.admin });
    const watch = watching.request({ ":path": `${configMaps}?watch=true` });
    watch.resume();
    await new Promise((resolve) => watch.once("response", resolve));
    await new Promise((resolve) => session.once("close", resolve));
    expect(watching.closed).toBe(false);
    watching.destroy();
  });
});

describe("a watch that nobody reads", () => {
  const size = 200_000;
  const count = 40;
  const event = (i: number) => ({ metadata: { name: "busy" }, data: { text: String(i).padStart(size, "x") } });
  const fill = async () => {
    await served.ask("DELETE", `${configMaps}/busy`);
    await served.create(configMaps, event(0));
    for (let i = 1; i < count; i++) await served.ask("PUT", `${configMaps}/busy`, { body: event(i) });
  };
  /** Reads what is left of a stream; resolves with the bytes when it has ended. */
  const drain = (stream: Readable) =>
    new Promise<number>((resolve) => {
      let received = 0;
      // It may have ended before anybody listened.
      if (stream.closed || stream.destroyed) resolve(received);
      stream.on("data", (chunk: Buffer) => {
        received += chunk.length;
      });
      stream.on("error", () => {}).once("close", () => resolve(received));
      // It was paused, which a listener alone does not end.
      stream.resume();
    });

  it("is ended over HTTP/1.1, and the server's memory stays bounded", async () => {
    const path = `${served.cluster.url}${configMaps}?watch=true`;
    const outgoing = request(path, { ca: served.ca, ...served.admin, agent: false });
    outgoing.on("error", () => {}).end();
    const response = await new Promise<IncomingMessage>((resolve) => outgoing.once("response", resolve));
    response.pause();
    await fill();
    expect(await drain(response)).toBeLessThan(count * size);
    await isWell();
  });

  it("is ended over HTTP/2, and other requests of the connection are not", async () => {
    const session = connectHttp2(served.cluster.url, { ca: served.ca, ...served.admin });
    session.on("error", () => {});
    const watch = session.request({ ":path": `${configMaps}?watch=true` });
    watch.on("error", () => {});
    await new Promise((resolve) => watch.once("response", resolve));
    // Another watch of the connection, which also keeps it from being idle.
    const quiet = session.request({ ":path": "/api/v1/secrets?watch=true" }).resume();
    await new Promise((resolve) => quiet.once("response", resolve));
    await fill();
    expect(await drain(watch)).toBeLessThan(count * size);
    const other = session.request({ ":path": "/readyz" });
    const code = await new Promise((resolve) => other.once("response", (headers) => resolve(headers[":status"])));
    expect(code).toBe(200);
    expect(quiet.closed).toBe(false);
    session.destroy();
  });
});
