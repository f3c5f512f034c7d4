import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Of each log only the end matters, and kubelet logs can be long. */
const TAIL = 256 * 1024;

/** Logs that tell why a cluster did not come up, of those `kind export logs` writes for each node. */
const telling = /^(kubelet|journal|serial|containerd|docker-info|inspect)\.(log|txt|json)$/;

/** The ends of the exported logs, as one text. Empty when nothing was exported. */
export async function exportedFindings(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const wanted = names.filter((name) => telling.test(name.split(/[/\\]/).at(-1)!) && !/inspect|docker-info/.test(name));
  const texts = await Promise.all(
    wanted
      .sort()
      .map(async (name) =>
        (await readFile(join(folder, name)).catch(() => Buffer.alloc(0))).subarray(-TAIL).toString(),
      ),
  );
  return texts.join("\n");
}
