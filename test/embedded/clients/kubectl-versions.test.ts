import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/embedded/cluster.ts";
import { fetchKubectl, hasKubectl, workplace } from "../fixture/kubectl.ts";

let cluster: EmbeddedCluster;
let place: ReturnType<typeof workplace>;

beforeAll(async () => {
  const node = (name: string, controlPlane = false) => ({ name, controlPlane });
  cluster = await startEmbeddedCluster({ nodes: [node("cp", true), node("one"), node("two")] });
  place = workplace(cluster.kubeconfig);
});
afterAll(async () => {
  place.remove();
  await cluster.close();
});

const daemonSet = (image: string) => `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: ${image}, command: [sleep, infinity]}]}
`;

describe.skipIf(!hasKubectl).each([32, 33, 34, 35, 36])("kubectl 1.%i", (minor) => {
  let namespace: string;
  let program: string;
  let kubectl: (...args: string[]) => Promise<string>;
  let failing: (...args: string[]) => Promise<string>;
  let apply: (manifest: string, ...args: string[]) => Promise<string>;

  beforeAll(async () => {
    program = join(fetchKubectl(minor), "kubectl");
    namespace = `v${minor}`;
    apply = async (manifest, ...args) => {
      const { code, stdout, stderr } = await place.run(program, ["-n", namespace, ...args], manifest);
      expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    };
    kubectl = (...args) => apply("", ...args);
    failing = async (...args) => {
      const { code, stderr } = await place.run(program, ["-n", namespace, ...args]);
      expect(code).not.toBe(0);
      return stderr.trim();
    };
    await kubectl("create", "namespace", namespace);
  }, 180_000);

  it("applies, waits, rolls out, undoes and deletes", async () => {
    expect(await apply(daemonSet("busybox:1.36"), "apply", "-f", "-")).toBe("daemonset.apps/agent created\n");
    expect(await apply(daemonSet("busybox:1.36"), "apply", "-f", "-")).toBe("daemonset.apps/agent unchanged\n");
    expect(await kubectl("rollout", "status", "ds/agent", "--timeout=30s")).toContain("successfully rolled out");
    expect(await kubectl("get", "pods", "--no-headers")).toMatch(/^agent-\w{5} +1\/1 +Running +0 +\S+\n.*\n$/);
    const diff = await place.run(program, ["-n", namespace, "diff", "-f", "-"], daemonSet("busybox:1.37"));
    expect(diff.code).toBe(1);
    expect(diff.stdout).toMatch(/^\+ +- image: busybox:1\.37$|^\+ +image: busybox:1\.37$/m);
    expect(await apply(daemonSet("busybox:1.37"), "apply", "--server-side", "--force-conflicts", "-f", "-")).toContain(
      "serverside-applied",
    );
    await kubectl("rollout", "status", "ds/agent", "--timeout=30s");
    expect(await kubectl("rollout", "history", "ds/agent")).toMatch(/REVISION[\s\S]*1[\s\S]*2/);
    expect(await kubectl("rollout", "undo", "ds/agent")).toContain("rolled back");
    await kubectl("wait", "--for=jsonpath={.status.updatedNumberScheduled}=2", "ds/agent", "--timeout=30s");
    expect(await kubectl("describe", "ds/agent")).toContain("SuccessfulCreate");
    expect(await kubectl("events", "--for", "ds/agent")).toContain("SuccessfulCreate");
    expect(await kubectl("delete", "ds/agent")).toMatch(/^daemonset\.apps "agent" deleted/);
    expect(await kubectl("get", "ds")).toBe("");
  });

  it("patches, labels, annotates, edits and explains", async () => {
    await kubectl("create", "configmap", "c", "--from-literal=a=1");
    expect(await kubectl("patch", "cm/c", "--type=merge", "-p", '{"data":{"b":"2"}}')).toBe("configmap/c patched\n");
    expect(await kubectl("label", "cm/c", "x=y")).toBe("configmap/c labeled\n");
    expect(await kubectl("annotate", "cm/c", "x=y")).toBe("configmap/c annotated\n");
    expect(await kubectl("get", "cm", "-l", "x=y", "-o", "jsonpath={.items[*].data.b}")).toBe("2");
    expect(await kubectl("explain", "daemonset.spec.updateStrategy")).toContain("rollingUpdate");
    expect(await kubectl("api-resources", "--api-group=apps", "-o", "name")).toContain("daemonsets.apps");
    expect(await failing("get", "widgets")).toBe('error: the server doesn\'t have a resource type "widgets"');
  });

  it("knows who it is and what others may", async () => {
    expect(await kubectl("auth", "can-i", "delete", "nodes")).toBe("yes\n");
    expect(await kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe("kubernetes-admin");
    await kubectl("create", "role", "reader", "--verb=get,list", "--resource=pods");
    await kubectl("create", "rolebinding", "reader", "--role=reader", "--serviceaccount", `${namespace}:default`);
    const as = `--as=system:serviceaccount:${namespace}:default`;
    expect(await kubectl("auth", "can-i", "list", "pods", as)).toBe("yes\n");
    expect(await kubectl("auth", "can-i", "--list", as)).toMatch(/^pods +\[\] +\[\] +\[get list\]$/m);
    expect(await failing("get", "secrets", as)).toBe(
      `Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:${namespace}:default" cannot list resource "secrets" in API group "" in the namespace "${namespace}"`,
    );
    const token = (await kubectl("create", "token", "default")).trim();
    expect(token.split(".")).toHaveLength(3);
  });
});
