import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestSubject } from "../../../src/embedded/auth/certificates/request-subject.ts";
import { type ServedCluster, servedCluster } from "../fixture/served-cluster.ts";

const csrs = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const clientSigner = "kubernetes.io/kube-apiserver-client";
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
let served: ServedCluster;

beforeAll(async () => {
  served = await servedCluster();
});
afterAll(() => served.close());

async function newRequest(name: string) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name, keys, signingAlgorithm: algorithm },
    webcrypto as never,
  );
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return { pem: request.toString("pem"), key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n` };
}
const post = (name: string, pem: string, spec: object = {}) =>
  served.ask("POST", csrs, {
    body: {
      metadata: { name },
      spec: {
        request: Buffer.from(pem).toString("base64"),
        signerName: clientSigner,
        usages: ["client auth"],
        username: "somebody else",
        ...spec,
      },
    },
  });
const get = async (name: string) => (await served.ask("GET", `${csrs}/${name}`)).body;
async function decide(name: string, type: string, as?: string) {
  const current = await get(name);
  const condition = { type, status: "True", reason: "Test" };
  const conditions = [...(current.status.conditions ?? []), condition];
  return served.ask("PUT", `${csrs}/${name}/approval`, { as, body: { ...current, status: { conditions } } });
}

describe("a certificate request", () => {
  it("is approved, signed, and its certificate tells the server who its holder is", async () => {
    const { pem, key } = await newRequest("CN=jane, O=dev, O=ops");
    expect((await post("jane", pem)).body.spec).toMatchObject({ username: "kubernetes-admin" });
    expect((await get("jane")).status.certificate).toBeUndefined();
    expect((await decide("jane", "Approved")).code).toBe(200);
    await expect.poll(async () => (await get("jane")).status.certificate).toBeTruthy();
    const cert = Buffer.from((await get("jane")).status.certificate, "base64").toString();
    const review = await served.create(
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      {},
      { certificate: { cert, key } },
    );
    expect(review.status.userInfo).toMatchObject({ username: "jane", groups: ["dev", "ops", "system:authenticated"] });
    const pods = await served.ask("GET", "/api/v1/pods", { certificate: { cert, key } });
    expect(pods.body.message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
    );
  });

  it("that is denied, or wants what the signer does not sign, gets no certificate", async () => {
    const { pem } = await newRequest("CN=joe");
    await post("denied", pem);
    await decide("denied", "Denied");
    const both = await decide("denied", "Approved");
    expect(both.body.message).toContain("Approved and Denied conditions are mutually exclusive");
    await post("server", pem, { usages: ["server auth"] });
    await decide("server", "Approved");
    await expect
      .poll(async () => (await get("server")).status.conditions.map((c: { type: string }) => c.type))
      .toEqual(["Approved", "Failed"]);
    for (const name of ["denied", "server"]) expect((await get(name)).status.certificate).toBeUndefined();
  });

  it("for system:masters is refused", async () => {
    const { pem } = await newRequest("CN=root, O=system:masters");
    expect((await post("root", pem)).body.message).toBe(
      `certificatesigningrequests.certificates.k8s.io "root" is forbidden: use of ${clientSigner} signer with system:masters group is not allowed`,
    );
  });

  it("is approved by who may approve for its signer only", async () => {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const group = "certificates.k8s.io";
    await served.create(`${rbac}/clusterroles`, {
      metadata: { name: "half" },
      rules: [{ apiGroups: [group], resources: ["certificatesigningrequests/approval"], verbs: ["update"] }],
    });
    await served.create(`${rbac}/clusterrolebindings`, {
      metadata: { name: "half" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "half" },
      subjects: [{ kind: "User", name: "hal", apiGroup: "rbac.authorization.k8s.io" }],
    });
    const { pem } = await newRequest("CN=kim");
    await post("kim", pem);
    expect((await decide("kim", "Approved", "hal")).body.message).toBe(
      `certificatesigningrequests.certificates.k8s.io "kim" is forbidden: user not permitted to approve requests with signerName "${clientSigner}"`,
    );
  });
});

describe("a request's subject", () => {
  it("is read from its DER, and bytes that are none are refused", async () => {
    const { pem } = await newRequest("CN=jane, O=dev, O=ops, C=DE");
    expect(requestSubject(pem)).toEqual({ commonName: "jane", organizations: ["dev", "ops"] });
    const body = (text: string) => `-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----`;
    for (const text of ["", "MA==", "MIQ", "MIT/////", "AAAAAAAAAAAA"]) {
      expect(() => requestSubject(body(text)), text).toThrow("asn1");
    }
  });
});

describe("a Secret for a ServiceAccount's token", () => {
  it("is filled, works, and goes with its account", async () => {
    await served.create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
    const secrets = "/api/v1/namespaces/default/secrets";
    await served.create(secrets, {
      metadata: { name: "robot", annotations: { "kubernetes.io/service-account.name": "robot" } },
      type: "kubernetes.io/service-account-token",
    });
    const read = async () => (await served.ask("GET", `${secrets}/robot`)).body;
    await expect
      .poll(async () => Object.keys((await read()).data ?? {}).sort())
      .toEqual(["ca.crt", "namespace", "token"]);
    const token = Buffer.from((await read()).data.token, "base64").toString();
    const whoami = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const review = await served.create(whoami, {}, { token });
    expect(review.status.userInfo.username).toBe("system:serviceaccount:default:robot");
    await served.ask("DELETE", "/api/v1/namespaces/default/serviceaccounts/robot");
    await expect.poll(async () => (await served.ask("GET", `${secrets}/robot`)).code).toBe(404);
    expect((await served.ask("POST", whoami, { token, body: {} })).code).toBe(401);
  });
});
