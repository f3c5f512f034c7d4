import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/embedded/cluster.ts";
import { fetchKubectl, hasKubectl, workplace } from "../fixture/kubectl.ts";

const chart: Record<string, string> = {
  "Chart.yaml": "apiVersion: v2\nname: demo\nversion: 0.1.0\n",
  "values.yaml": "replicas: 2\n",
  "templates/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-config}
data: {replicas: "{{ .Values.replicas }}", kube: "{{ .Capabilities.KubeVersion.Minor }}"}
`,
  "templates/service.yaml": `apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec: {selector: {app: demo}, ports: [{port: 80}]}
`,
  "templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: demo}}
  template:
    metadata: {labels: {app: demo}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
`,
};

describe.skipIf(!hasKubectl)("helm", () => {
  let cluster: EmbeddedCluster;
  let place: ReturnType<typeof workplace>;
  let helm: (...args: string[]) => Promise<string>;

  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ nodes: [{ name: "one", controlPlane: false }] });
    place = workplace(cluster.kubeconfig);
    mkdirSync(join(place.folder, "chart/templates"), { recursive: true });
    for (const [file, text] of Object.entries(chart)) writeFileSync(join(place.folder, "chart", file), text);
    const program = join(fetchKubectl(36), "helm");
    helm = async (...args) => {
      const { code, stdout, stderr } = await place.run(program, args);
      expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    };
  }, 180_000);
  afterAll(async () => {
    place.remove();
    await cluster.close();
  });

  const replicas = () => {
    const deployment = cluster.store.get({ group: "apps", resource: "deployments" }, "default", "shop");
    return (deployment?.["spec"] as { replicas: number } | undefined)?.replicas;
  };

  it("installs a chart and waits for it, upgrades, rolls back and takes it away", async () => {
    expect(await helm("install", "shop", "chart", "--wait", "--timeout", "30s")).toContain("STATUS: deployed");
    const config = cluster.store.get({ group: "", resource: "configmaps" }, "default", "shop-config");
    expect(config?.["data"]).toEqual({ replicas: "2", kube: "36" });
    await helm("upgrade", "shop", "chart", "--set", "replicas=3", "--wait", "--timeout", "30s");
    expect(replicas()).toBe(3);
    await helm("rollback", "shop", "1", "--wait", "--timeout", "30s");
    expect(replicas()).toBe(2);
    expect(await helm("list")).toMatch(/^shop\s+default\s+3\s.*deployed/m);
    await helm("uninstall", "shop", "--wait");
    expect(await helm("list", "--short")).toBe("");
    expect(cluster.store.get({ group: "", resource: "services" }, "default", "shop")).toBeUndefined();
  });
});
