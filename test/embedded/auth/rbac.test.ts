import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ask, type ServedCluster, servedCluster } from "../fixture/served-cluster.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const lab = `${rbac}/namespaces/lab`;
let served: ServedCluster;

beforeAll(async () => {
  served = await servedCluster();
  await served.create("/api/v1/namespaces", { metadata: { name: "lab" } });
});
afterAll(() => served.close());

const forbidden = async (method: string, path: string, more: Ask) => {
  const answer = await served.ask(method, path, more);
  expect(answer.body).toMatchObject({ kind: "Status", status: "Failure", reason: "Forbidden", code: 403 });
  return answer.body.message as string;
};
const code = async (method: string, path: string, more: Ask) => (await served.ask(method, path, more)).code;
const role = (name: string, rules: unknown[]) => served.create(`${lab}/roles`, { metadata: { name }, rules });
const bind = (name: string, roleRef: { kind: string; name: string }, ...users: string[]) =>
  served.create(`${lab}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", ...roleRef },
    subjects: users.map((user) => ({ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" })),
  });

describe("who may nothing", () => {
  it("is told what, where and why not", async () => {
    expect(await forbidden("GET", "/api/v1/namespaces/lab/pods", { as: "nobody" })).toBe(
      'pods is forbidden: User "nobody" cannot list resource "pods" in API group "" in the namespace "lab"',
    );
    expect(await forbidden("GET", "/apis/apps/v1/namespaces/lab/daemonsets/a", { as: "nobody" })).toBe(
      'daemonsets.apps "a" is forbidden: User "nobody" cannot get resource "daemonsets" in API group "apps" in the namespace "lab"',
    );
    expect(await forbidden("GET", "/api/v1/nodes?watch=true", { as: "nobody" })).toBe(
      'nodes is forbidden: User "nobody" cannot watch resource "nodes" in API group "" at the cluster scope',
    );
    expect(await forbidden("GET", "/api/v1/namespaces/lab/pods/a/log", { as: "nobody" })).toBe(
      'pods "a" is forbidden: User "nobody" cannot get resource "pods/log" in API group "" in the namespace "lab"',
    );
    expect(await forbidden("POST", "/k8s-practice/nodes/one/stop", { as: "nobody" })).toBe(
      'forbidden: User "nobody" cannot post path "/k8s-practice/nodes/one/stop"',
    );
  });

  it("still sees what is served and who he is", async () => {
    expect(await code("GET", "/apis", { as: "nobody" })).toBe(200);
    expect(await code("GET", "/api/v1", { as: "nobody" })).toBe(200);
    const review = await served.create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, { as: "nobody dev" });
    expect(review.status.userInfo).toEqual({ username: "nobody", groups: ["dev", "system:authenticated"] });
  });
});

describe("a role", () => {
  it("is had through a binding, in its namespace only, from the moment it is bound to the moment it is not", async () => {
    const path = "/api/v1/namespaces/lab/configmaps";
    await role("reader", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }]);
    expect(await code("GET", path, { as: "ada" })).toBe(403);
    await bind("reader", { kind: "Role", name: "reader" }, "ada");
    expect(await code("GET", path, { as: "ada" })).toBe(200);
    expect(await code("POST", path, { as: "ada", body: { metadata: { name: "a" } } })).toBe(403);
    expect(await code("GET", "/api/v1/configmaps", { as: "ada" })).toBe(403);
    expect(await code("GET", "/api/v1/namespaces/default/configmaps", { as: "ada" })).toBe(403);
    await served.ask("DELETE", `${lab}/rolebindings/reader`);
    expect(await code("GET", path, { as: "ada" })).toBe(403);
  });

  it("may name objects and subresources", async () => {
    await role("named", [
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["get"] },
      { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] },
    ]);
    await bind("named", { kind: "Role", name: "named" }, "bea");
    expect(await code("GET", "/api/v1/namespaces/lab/configmaps/mine", { as: "bea" })).toBe(404);
    expect(await code("GET", "/api/v1/namespaces/lab/configmaps/yours", { as: "bea" })).toBe(403);
    expect(await code("GET", "/apis/apps/v1/namespaces/lab/deployments/d/scale", { as: "bea" })).toBe(404);
    expect(await code("GET", "/apis/apps/v1/namespaces/lab/deployments/d", { as: "bea" })).toBe(403);
  });

  it("for a name allows a watch of that name", async () => {
    await role("watcher", [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"], verbs: ["list"] }]);
    await bind("watcher", { kind: "Role", name: "watcher" }, "dan");
    const path = "/api/v1/namespaces/lab/configmaps";
    expect(await code("GET", `${path}?fieldSelector=metadata.name%3Done`, { as: "dan" })).toBe(200);
    expect(await code("GET", `${path}?fieldSelector=metadata.name%3Dtwo`, { as: "dan" })).toBe(403);
    expect(await code("GET", `${path}?fieldSelector=metadata.name!%3Done`, { as: "dan" })).toBe(403);
    expect(await code("GET", path, { as: "dan" })).toBe(403);
  });

  it("to change what is there allows no apply of what is not", async () => {
    await role("patcher", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch", "update"] }]);
    await bind("patcher", { kind: "Role", name: "patcher" }, "pat");
    await served.create("/api/v1/namespaces/lab/configmaps", { metadata: { name: "there" } });
    const headers = { "content-type": "application/apply-patch+yaml" };
    const apply = (name: string) => ({
      as: "pat",
      headers,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
    });
    const path = (name: string) => `/api/v1/namespaces/lab/configmaps/${name}?fieldManager=test`;
    expect(await code("PATCH", path("there"), apply("there"))).toBe(200);
    expect(await forbidden("PATCH", path("new"), apply("new"))).toBe(
      'configmaps "new" is forbidden: User "pat" cannot create resource "configmaps" in API group "" in the namespace "lab"',
    );
  });

  it("that is not there is named in the refusal", async () => {
    await bind("dangling", { kind: "ClusterRole", name: "gone" }, "cat");
    expect(await forbidden("GET", "/api/v1/namespaces/lab/pods", { as: "cat" })).toBe(
      'pods is forbidden: User "cat" cannot list resource "pods" in API group "" in the namespace "lab": RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    );
  });
});

describe("the roles that every cluster has", () => {
  it("are admin, edit and view, put together by labels", async () => {
    await bind("viewers", { kind: "ClusterRole", name: "view" }, "vic");
    await bind("editors", { kind: "ClusterRole", name: "edit" }, "edd");
    const pods = "/api/v1/namespaces/lab/pods";
    const secrets = "/api/v1/namespaces/lab/secrets";
    await expect.poll(() => code("GET", pods, { as: "vic" })).toBe(200);
    await expect.poll(() => code("GET", pods, { as: "edd" })).toBe(200);
    expect(await code("GET", secrets, { as: "vic" })).toBe(403);
    expect(await code("GET", secrets, { as: "edd" })).toBe(200);
    await served.create(`${rbac}/clusterroles`, {
      metadata: { name: "more", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      rules: [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }],
    });
    for (const name of ["view", "edit", "admin"]) {
      await expect
        .poll(async () => JSON.stringify((await served.ask("GET", `${rbac}/clusterroles/${name}`)).body.rules))
        .toContain("widgets");
    }
  });
});

describe("escalation", () => {
  const view = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };

  it("is refused to who does not hold what he grants, with what is missing", async () => {
    await bind("admins", { kind: "ClusterRole", name: "admin" }, "ann");
    await expect.poll(() => code("GET", `${lab}/roles`, { as: "ann" })).toBe(200);
    const body = { metadata: { name: "up" }, roleRef: view, subjects: [] };
    expect(await forbidden("POST", `${lab}/rolebindings`, { as: "ann", body })).toBe(
      `rolebindings.rbac.authorization.k8s.io "up" is forbidden: user "ann" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:["*"], Resources:["*"], Verbs:["*"]}
{NonResourceURLs:["*"], Verbs:["*"]}`,
    );
    const rules = [{ apiGroups: [""], resources: ["pods", "nodes"], verbs: ["get", "list"] }];
    expect(await forbidden("POST", `${lab}/roles`, { as: "ann", body: { metadata: { name: "up" }, rules } })).toContain(
      'not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}',
    );
  });

  it("is not what somebody does who holds it, or may bind it", async () => {
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
    expect(await code("POST", `${lab}/roles`, { as: "ann", body: { metadata: { name: "less" }, rules } })).toBe(201);
    await role("binder", [
      { apiGroups: ["rbac.authorization.k8s.io"], resources: ["rolebindings"], verbs: ["create"] },
      {
        apiGroups: ["rbac.authorization.k8s.io"],
        resources: ["clusterroles"],
        resourceNames: ["cluster-admin"],
        verbs: ["bind"],
      },
    ]);
    await bind("binder", { kind: "Role", name: "binder" }, "bob");
    const body = { metadata: { name: "by-bob" }, roleRef: view, subjects: [] };
    expect(await code("POST", `${lab}/rolebindings`, { as: "bob", body })).toBe(201);
  });
});

describe("impersonation", () => {
  it("needs the verb for the user and each group", async () => {
    await served.create(`${rbac}/clusterroles`, {
      metadata: { name: "as-zoe" },
      rules: [{ apiGroups: [""], resources: ["users"], resourceNames: ["zoe"], verbs: ["impersonate"] }],
    });
    const binding = {
      metadata: { name: "as-zoe" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "as-zoe" },
      subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "lab" }],
    };
    await served.create(`${rbac}/clusterrolebindings`, binding);
    await served.create("/api/v1/namespaces/lab/serviceaccounts", { metadata: { name: "robot" } });
    const { token } = (await served.create("/api/v1/namespaces/lab/serviceaccounts/robot/token", {})).status;
    const whoami = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const zoe = await served.create(whoami, {}, { token, as: "zoe" });
    expect(zoe.status.userInfo.username).toBe("zoe");
    expect(await forbidden("POST", whoami, { token, as: "root", body: {} })).toBe(
      'users "root" is forbidden: User "system:serviceaccount:lab:robot" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(await forbidden("POST", whoami, { token, as: "zoe system:masters", body: {} })).toContain(
      'groups "system:masters" is forbidden: User "system:serviceaccount:lab:robot" cannot impersonate resource "groups"',
    );
  });

  it("of a ServiceAccount gives its groups", async () => {
    const answer = await served.create(
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      {},
      { as: "system:serviceaccount:lab:robot" },
    );
    expect(answer.status.userInfo.groups).toEqual([
      "system:serviceaccounts",
      "system:serviceaccounts:lab",
      "system:authenticated",
    ]);
  });
});
