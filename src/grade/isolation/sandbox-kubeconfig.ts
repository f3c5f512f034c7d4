import { parse, stringify } from "yaml";

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string } }[];
  clusters?: { name: string; cluster: { server: string; "tls-server-name"?: string } }[];
}

/** Where a kubeconfig's current context leads. */
export interface ClusterAddress {
  host: string;
  port: number;
}

/**
 * The kubeconfig a sandboxed script gets: the same credentials, its server on the loopback port that the supervisor
 * leads to the cluster. The certificate is still checked against the real host's name.
 */
export function sandboxKubeconfig(text: string): { text: string; address: ClusterAddress; port: number } {
  const config = parse(text) as Kubeconfig;
  const context = config.contexts?.find((c) => c.name === config["current-context"]);
  const cluster = config.clusters?.find((c) => c.name === context?.context.cluster)?.cluster;
  if (!cluster) throw new Error("the kubeconfig has no current context with a cluster");
  const url = new URL(cluster.server);
  const port = Number(url.port) || 443;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Ports below 1024 can't be bound in there.
  const inside = port < 1024 ? port + 20_000 : port;
  cluster.server = `https://127.0.0.1:${inside}${url.pathname === "/" ? "" : url.pathname}`;
  if (host !== "127.0.0.1") cluster["tls-server-name"] ??= host;
  return { text: stringify(config), address: { host, port }, port: inside };
}
