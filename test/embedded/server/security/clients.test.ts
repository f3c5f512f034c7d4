import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
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
  const event = (i: number) => ({ metadata: { name: "busy" }, data: { text: String(i).padStart(200_000, "x") } });
  const fill = async (done: () => boolean) => {
    await served.ask("DELETE", `${configMaps}/busy`);
    await served.create(configMaps, event(0));
    for (let i = 1; !done() && i < 200; i++) await served.ask("PUT", `${configMaps}/busy`, { body: event(i) });
  };

  it("is ended over HTTP/1.1, and the server's memory stays bounded", async () => {
    let ended = false;
    const outgoing = request(`${served.cluster.url}${configMaps}?watch=true`, {
      ca: served.ca,
      ...served.admin,
      agent: false,
    });
    outgoing.on("error", () => {});
    outgoing.on("close", () => {
      ended = true;
    });
    const answer = new Promise<void>((resolve) => {
      outgoing.on("response", (response) => {
        response.pause();
        response.on("error", () => {});
        response.socket.on("close", () => {
          ended = true;
        });
        resolve();
      });
    });
    outgoing.end();
    await answer;
    await fill(() => ended);
    await expect.poll(() => ended).toBe(true);
    await isWell();
  });

  it("is ended over HTTP/2, and other requests of the connection are not", async () => {
    const session = connectHttp2(served.cluster.url, { ca: served.ca, ...served.admin });
    session.on("error", () => {});
    const watch = session.request({ ":path": `${configMaps}?watch=true` });
    watch.on("error", () => {});
    await new Promise((resolve) => watch.once("response", resolve));
    let events = 0;
    await fill(() => ++events === 30);
    let received = 0;
    watch.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    await new Promise((resolve) => watch.once("close", resolve));
    expect(received).toBeLessThan(events * 200_000);
    const other = session.request({ ":path": "/readyz" });
    const code = await new Promise((resolve) => other.once("response", (headers) => resolve(headers[":status"])));
    expect(code).toBe(200);
    session.destroy();
  });
});
