import { webcrypto } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeClock } from "../../../src/embedded/api/clock.ts";
import { loadPki } from "../../../src/embedded/auth/pki.ts";
import { JwtKey } from "../../../src/embedded/auth/tokens/jwt.ts";
import { issuer, ServiceAccountTokens } from "../../../src/embedded/auth/tokens/service-account-tokens.ts";
import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";
import { type ServedCluster, servedCluster } from "../fixture/served-cluster.ts";

const accounts = "/api/v1/namespaces/lab/serviceaccounts";
const whoami = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
let served: ServedCluster;

beforeAll(async () => {
  served = await servedCluster();
  await served.create("/api/v1/namespaces", { metadata: { name: "lab" } });
});
afterAll(() => served.close());

const account = (name: string) => served.create(accounts, { metadata: { name } });
const token = async (name: string, spec: object = {}) =>
  (await served.create(`${accounts}/${name}/token`, { spec })).status.token as string;

describe("a ServiceAccount's token", () => {
  it("tells who its holder is, and in which groups", async () => {
    const { metadata } = await account("robot");
    const { status } = await served.create(whoami, {}, { token: await token("robot") });
    expect(status.userInfo).toEqual({
      username: "system:serviceaccount:lab:robot",
      uid: metadata.uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:lab", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
    });
  });

  it("lasts as long as was asked, an hour if nothing was", async () => {
    await account("hourly");
    const answer = await served.create(`${accounts}/hourly/token`, {});
    expect(answer).toMatchObject({
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: "hourly", namespace: "lab" },
      spec: { audiences: [issuer], expirationSeconds: 3600 },
    });
    const claims = JSON.parse(Buffer.from(answer.status.token.split(".")[1], "base64url").toString());
    expect(claims.exp - claims.iat).toBe(3600);
    const refused = await served.ask("POST", `${accounts}/hourly/token`, { body: { spec: { expirationSeconds: 60 } } });
    expect(refused.code).toBe(422);
    expect(refused.body.message).toBe(
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    );
  });

  it("dies with its account, even when one of the same name comes back", async () => {
    await account("mortal");
    const old = await token("mortal");
    expect((await served.ask("POST", whoami, { token: old, body: {} })).code).toBe(201);
    await served.ask("DELETE", `${accounts}/mortal`);
    await account("mortal");
    const answer = await served.ask("POST", whoami, { token: old, body: {} });
    expect(answer.code).toBe(401);
    expect(answer.body).toMatchObject({ kind: "Status", reason: "Unauthorized", message: "Unauthorized" });
  });

  it("that is bound to a Secret dies with it", async () => {
    await account("bound");
    const { metadata } = await served.create("/api/v1/namespaces/lab/secrets", { metadata: { name: "tie" } });
    const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: "tie", uid: metadata.uid };
    const tied = await token("bound", { boundObjectRef });
    expect((await served.ask("POST", whoami, { token: tied, body: {} })).code).toBe(201);
    await served.ask("DELETE", "/api/v1/namespaces/lab/secrets/tie");
    expect((await served.ask("POST", whoami, { token: tied, body: {} })).code).toBe(401);
  });

  it("is good for its audiences only, as a TokenReview tells", async () => {
    await account("elsewhere");
    const other = await token("elsewhere", { audiences: ["vault"] });
    expect((await served.ask("POST", whoami, { token: other, body: {} })).code).toBe(401);
    const review = (audiences?: string[]) =>
      served.create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: other, audiences } });
    expect((await review(["vault", "x"])).status).toMatchObject({ authenticated: true, audiences: ["vault"] });
    expect((await review()).status.error).toContain("invalid for the target audiences");
  });

  it("of nobody, or changed, is refused", async () => {
    const good = await token("default");
    const [header, claims, signature] = good.split(".") as [string, string, string];
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const changed = Buffer.from(claims, "base64url").toString().replace("lab", "bal");
    for (const bad of [
      "x",
      `${header}.${claims}.`,
      `${none}.${claims}.`,
      `${none}.${claims}.${signature}`,
      `${header}.${Buffer.from(changed).toString("base64url")}.${signature}`,
    ]) {
      expect((await served.ask("POST", whoami, { token: bad, body: {} })).code, bad).toBe(401);
    }
  });

  it("can be verified by others", async () => {
    const own = await token("default");
    const { body } = await served.ask("GET", "/openid/v1/jwks", { token: own });
    const [header, claims, signature] = own.split(".") as [string, string, string];
    expect(body.keys[0].kid).toBe(JSON.parse(Buffer.from(header, "base64url").toString()).kid);
    const key = await webcrypto.subtle.importKey("jwk", body.keys[0], { name: "ECDSA", namedCurve: "P-256" }, true, [
      "verify",
    ]);
    const signed = Buffer.from(`${header}.${claims}`);
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    expect(await webcrypto.subtle.verify(algorithm, key, Buffer.from(signature, "base64url"), signed)).toBe(true);
    const found = await served.ask("GET", "/.well-known/openid-configuration", { token: own });
    expect(found.body.issuer).toBe(issuer);
  });

  it("expires", async () => {
    const clock = new FakeClock();
    const store = new MemoryStore();
    const tokens = new ServiceAccountTokens(store, clock, new JwtKey((await loadPki()).serviceAccountKey));
    const robot = store.put(
      { group: "", resource: "serviceaccounts" },
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: "lab", name: "robot", uid: "1" } },
    );
    const issued = tokens.issue(robot, [issuer], 600, {});
    expect(tokens.check(issued.token, [])).toHaveProperty("user");
    clock.advance(601_000);
    expect(tokens.check(issued.token, [])).toEqual({
      error: "[invalid bearer token, service account token has expired]",
    });
  });
});
