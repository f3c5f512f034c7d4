import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { inLogOrder, type LogFile, type LogFiles, localLogFiles } from "../audit/log-files.ts";
import { logTrace } from "../audit/log-trace.ts";
import type { Trace } from "../trace.ts";
import { AUDIT_IN_NODE } from "./config.ts";
import { callEngine, type EngineCall } from "./containers.ts";

/**
 * The trace of a kind cluster: its control planes' audit logs. They are read from the folder mounted from this machine;
 * the API server writes them as root and for root only, so where we may not read them (or the mount is on another
 * machine), they are read through the node's container.
 */
export function kindTrace(folders: { node: string; folder: string }[], call: EngineCall): Trace {
  const traces = folders.map(({ node, folder }) => logTrace(readableFiles(folder, containerLogFiles(node, call))));
  if (traces.length === 1) return traces[0]!;
  return {
    async read(since) {
      const events = (await Promise.all(traces.map((trace) => trace.read(since)))).flat();
      return events.sort((a, b) => Date.parse(a.requestReceivedTimestamp) - Date.parse(b.requestReceivedTimestamp));
    },
  };
}

/** The local files while all of them can be read, else the container's. */
function readableFiles(folder: string, container: LogFiles): LogFiles {
  const local = localLogFiles(folder);
  let chosen: LogFiles | undefined;
  return {
    async list() {
      chosen ??= await choose();
      return chosen.list();
    },
    read(file, from, to) {
      return (chosen ?? local).read(file, from, to);
    },
  };

  async function choose(): Promise<LogFiles> {
    const files = await local.list().catch(() => []);
    const readable = files.map((file) => access(join(folder, file.name), constants.R_OK));
    return files.length > 0 && (await Promise.allSettled(readable)).every(({ status }) => status === "fulfilled")
      ? local
      : container;
  }
}

/** The files as they are inside a node's container. */
function containerLogFiles(node: string, call: EngineCall): LogFiles {
  return {
    async list() {
      const command = `cd ${AUDIT_IN_NODE} 2>/dev/null && stat -c '%i %s %n' *.log 2>/dev/null || true`;
      const output = await callEngine(call, ["exec", node, "sh", "-c", command]);
      const files = new Map(
        output.split("\n").flatMap((line): [string, LogFile][] => {
          const match = /^(\d+) (\d+) (.+)$/.exec(line);
          return match === null ? [] : [[match[3]!, { id: match[1]!, size: Number(match[2]), name: match[3]! }]];
        }),
      );
      return inLogOrder([...files.keys()]).map((name) => files.get(name)!);
    },
    async read(file, from, to) {
      // As base64: a part may begin or end in the middle of a character.
      const command = `tail -c +${from + 1} '${AUDIT_IN_NODE}/${file.name}' | head -c ${to - from} | base64`;
      return Buffer.from(await callEngine(call, ["exec", node, "sh", "-c", command]), "base64");
    },
  };
}
