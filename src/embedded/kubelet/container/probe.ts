import type { V1Probe } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import type { Container } from "../../api/pod.ts";
import { Execution, type Surroundings } from "../command/execution.ts";
import { parseImage, wellKnownPorts } from "./images.ts";

export type Probe = Wire<V1Probe>;

/** What a probe finds, and the output an Unhealthy event shows. */
export type ProbeResult = { ok: true } | { ok: false; output: string };

/**
 * What a probe would find, from its declaration. It succeeds unless the declaration can't: an `exec` whose command
 * evidently fails (`false`, `cat` of a file of /tmp that the container has not made), a port that the containers
 * declare others than (or that a well-known image does not listen on), a path that a plain nginx or httpd lacks.
 * @param containers all of the Pod's, since they share a network
 */
export function runProbe(
  probe: Probe,
  container: Container,
  containers: readonly Container[],
  podIp: string,
  execution: Execution | undefined,
  around: Surroundings,
): ProbeResult {
  if (probe.exec) {
    const run = new Execution(probe.exec.command ?? [], { ...around, unknownEnds: true });
    for (const file of execution?.files ?? []) run.files.add(file);
    run.advance((probe.timeoutSeconds ?? 1) * 1000);
    if (run.ending === undefined) {
      return {
        ok: false,
        output: `command timed out: ${JSON.stringify((probe.exec.command ?? []).join(" "))} timed out after ${probe.timeoutSeconds ?? 1}s`,
      };
    }
    return run.ending.code === 0 ? { ok: true } : { ok: false, output: run.lines.map((l) => l.text).join("\n") };
  }
  const wanted = probe.httpGet?.port ?? probe.tcpSocket?.port ?? probe.grpc?.port;
  if (wanted === undefined) return { ok: true };
  const port = typeof wanted === "number" ? wanted : portOf(wanted, container);
  if (port === undefined) return { ok: false, output: `couldn't find port: ${JSON.stringify(wanted)}` };
  const host = probe.httpGet?.host || probe.tcpSocket?.host || podIp;
  const path = probe.httpGet?.path ?? "/";
  const url = `${(probe.httpGet?.scheme ?? "HTTP").toLowerCase()}://${host}:${port}${path.startsWith("/") ? path : `/${path}`}`;
  if (host === podIp && !listens(port, container, containers)) {
    const dial = `dial tcp ${host}:${port}: connect: connection refused`;
    return { ok: false, output: probe.httpGet ? `Get "${url}": ${dial}` : dial };
  }
  const plain = /^library\/(nginx|httpd)$/.test(parseImage(container.image ?? "")?.path ?? "");
  const changed = (container.volumeMounts ?? []).some((m) => !m.mountPath.startsWith("/var/run/secrets/"));
  if (
    probe.httpGet &&
    plain &&
    !changed &&
    !container.command &&
    !["/", "/index.html", "/50x.html", ""].includes(path)
  ) {
    return { ok: false, output: "HTTP probe failed with statuscode: 404" };
  }
  return { ok: true };
}

function portOf(name: string, container: Container): number | undefined {
  if (/^[0-9]+$/.test(name)) return Number(name);
  return container.ports?.find((p) => p.name === name)?.containerPort;
}

function listens(port: number, container: Container, containers: readonly Container[]): boolean {
  const declared = containers.flatMap((c) => (c.ports ?? []).map((p) => p.containerPort));
  if (declared.includes(port)) return true;
  const known = container.command ? undefined : wellKnownPorts(container.image ?? "");
  if (known !== undefined) return known.includes(port);
  return (container.ports ?? []).length === 0;
}
