import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Isolation, ScriptLimits } from "../../../src/grade/isolation/isolation.ts";
import { defaultLimits } from "../../../src/grade/isolation/isolation.ts";
import type { ScriptRun } from "../../../src/grade/result.ts";

/** True where bubblewrap works; the tests that need it say why they are skipped elsewhere. */
export const bwrapWorks = (() => {
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/**
 * The first lines of every script that kills or storms: it stops unless it is alone in a PID namespace of its own.
 * Where tests run as root, a mistake here would end everything on the machine.
 */
export const aloneOrStop = `
[ "$(cat /proc/1/comm)" = bwrap ] || { echo "not in a sandbox"; exit 99; }
[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 10 ] || { echo "not alone"; exit 99; }
`;

/** A TCP server on loopback that answers a line to every connection and counts them. */
export class LineServer {
  connections = 0;
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(line: string): Promise<LineServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new LineServer(server, (server.address() as AddressInfo).port);
    server.on("connection", (socket) => {
      started.connections += 1;
      socket.on("error", () => {});
      socket.end(`${line}\n`);
    });
    return started;
  }

  close(): void {
    this.server.close();
  }
}

/** A folder with a submission of one script and a kubeconfig that leads to `port`. */
export class Submission {
  readonly folder = mkdtempSync(join(tmpdir(), "k8s-practice-test-"));
  readonly path = join(this.folder, "student");

  constructor(
    script: string,
    private readonly port = 1,
    readonly file = "1.sh",
  ) {
    mkdirSync(this.path);
    writeFileSync(join(this.path, file), script);
    writeFileSync(
      join(this.folder, "kubeconfig"),
      `current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:${this.port}"}}]\n`,
    );
  }

  async run(isolation: Isolation, limits: Partial<ScriptLimits> = {}, signal?: AbortSignal): Promise<ScriptRun> {
    try {
      return await isolation.run({
        submission: this.path,
        file: this.file,
        kubeconfig: join(this.folder, "kubeconfig"),
        kubectl: "/bin/true",
        limits: { ...defaultLimits, seconds: 20, ...limits },
        ...(signal === undefined ? {} : { signal }),
      });
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}
