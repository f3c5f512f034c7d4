import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat, truncate } from "node:fs/promises";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPki } from "../../../src/embedded/auth/pki.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pki-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("the cluster's PKI", () => {
  it("lets a client that trusts the authority be known as kubernetes-admin of system:masters", async () => {
    const pki = await loadPki();
    const server = createServer(
      { cert: pki.serverCert, key: pki.serverKey, ca: pki.ca, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        response.end(`${subject.CN} ${subject.O}`);
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const text = await new Promise<string>((resolve, reject) => {
      const options = { ca: pki.ca, cert: pki.clientCert, key: pki.clientKey, agent: false as const };
      get(`https://127.0.0.1:${port}/`, options, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      }).on("error", reject);
    });
    server.close();
    expect(text).toBe("kubernetes-admin system:masters");
  });

  it("is good for the names an API server is called by", async () => {
    const certificate = new X509Certificate((await loadPki()).serverCert);
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    for (const name of ["localhost", "kubernetes.default.svc"]) expect(certificate.checkHost(name)).toBe(name);
    expect(certificate.checkHost("example.com")).toBeUndefined();
  });

  it("stays the same when it is kept, and readable to its owner only", async () => {
    const kept = join(folder, "pki");
    const first = await loadPki(kept);
    expect(await loadPki(kept)).toEqual(first);
    expect((await stat(join(kept, "admin.key"))).mode & 0o777).toBe(0o600);
  });

  it("is made anew when a file is missing or cut off", async () => {
    const kept = join(folder, "pki");
    const first = await loadPki(kept);
    await truncate(join(kept, "ca.crt"), 100);
    const second = await loadPki(kept);
    expect(second.ca).not.toBe(first.ca);
    expect(await loadPki(kept)).toEqual(second);
  });
});
