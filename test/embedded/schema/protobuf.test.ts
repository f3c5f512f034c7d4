import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { decodeProtobuf } from "../../../src/embedded/schema/protobuf.ts";
import { TypeCatalog } from "../../../src/embedded/schema/type-catalog.ts";
import { kubectlFolder } from "../../e2e/workplace.ts";

const types = new TypeCatalog();

/** What real kubectl posts. */
async function posted(...args: string[]): Promise<{ type: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.method !== "POST") {
        response.writeHead(404).end("{}");
        return;
      }
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.writeHead(500).end("{}");
        server.close();
        child.kill();
        resolve({ type: request.headers["content-type"] ?? "", body: Buffer.concat(chunks) });
      });
    });
    let child: ReturnType<typeof spawn>;
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const flags = ["--server", `http://127.0.0.1:${port}`, "--kubeconfig", "/dev/null"];
      child = spawn(`${kubectlFolder()}/kubectl`, [...flags, ...args], {
        stdio: "ignore",
        env: { HOME: "/nonexistent" },
      });
      child.once("error", reject);
    });
  });
}

describe("a protobuf body of kubectl", () => {
  it("a Deployment", async () => {
    const { type, body } = await posted(
      "create",
      "deployment",
      "web",
      "--image=nginx:1.27",
      "--replicas=0",
      "--port=80",
    );
    expect(type).toBe("application/vnd.kubernetes.protobuf");
    const object = decodeProtobuf(body, types);
    expect(object).toMatchObject({
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: "web" } },
        template: { spec: { containers: [{ name: "nginx", image: "nginx:1.27", ports: [{ containerPort: 80 }] }] } },
      },
    });
    expect(JSON.stringify(object)).not.toMatch(/""|false/);
  });

  it("a Job and a quota, whose numbers are texts or quantities", async () => {
    const job = decodeProtobuf(
      (await posted("create", "job", "once", "--image=busybox", "--", "sleep", "5")).body,
      types,
    );
    expect(job).toMatchObject({
      kind: "Job",
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ command: ["sleep", "5"] }] } } },
    });
    const quota = decodeProtobuf(
      (await posted("create", "quota", "q", "--hard=pods=3,requests.memory=1Gi")).body,
      types,
    );
    expect(quota).toMatchObject({ spec: { hard: { pods: "3", "requests.memory": "1Gi" } } });
  });

  it("that is cut short or is no such thing is refused", () => {
    expect(() => decodeProtobuf(Buffer.from("k8s\0\u0012\u007f"), types)).toThrow(/not a Kubernetes protobuf/);
    expect(() => decodeProtobuf(Buffer.from("{}"), types)).toThrow(/magic/);
    expect(() => decodeProtobuf(Buffer.from("k8s\0"), types)).toThrow(/no kind/);
  });
});
