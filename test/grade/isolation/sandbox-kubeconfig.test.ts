import { expect, test } from "vitest";
import { sandboxKubeconfig } from "../../../src/grade/isolation/sandbox-kubeconfig.ts";

const config = (server: string) =>
  `current-context: a\ncontexts: [{name: b, context: {cluster: y}}, {name: a, context: {cluster: x}}]\nclusters: [{name: y, cluster: {server: "https://other:1"}}, {name: x, cluster: {server: "${server}"}}]\n`;

test("a loopback cluster keeps its port", () => {
  const { address, port, text } = sandboxKubeconfig(config("https://127.0.0.1:6443"));
  expect({ address, port }).toEqual({ address: { host: "127.0.0.1", port: 6443 }, port: 6443 });
  expect(text).not.toContain("tls-server-name");
});

test("a cluster elsewhere is reached through the loopback, with its certificate checked for its own name", () => {
  const { address, port, text } = sandboxKubeconfig(config("https://k8s.example.org/prefix"));
  expect({ address, port }).toEqual({ address: { host: "k8s.example.org", port: 443 }, port: 20443 });
  expect(text).toContain("server: https://127.0.0.1:20443/prefix");
  expect(text).toContain("tls-server-name: k8s.example.org");
});

test("a kubeconfig without a current context is refused", () => {
  expect(() => sandboxKubeconfig("clusters: []\n")).toThrow("no current context");
});
