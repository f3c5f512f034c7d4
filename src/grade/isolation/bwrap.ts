import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../package-root.ts";
import type { ScriptRun } from "../result.ts";
import { CapturedOutput } from "./captured-output.ts";
import { ClusterRelay } from "./cluster-relay.ts";
import type { Isolation, ScriptJob } from "./isolation.ts";
import { sandboxKubeconfig } from "./sandbox-kubeconfig.ts";
import { SandboxUsers } from "./sandbox-user.ts";
import { superviseSandbox } from "./supervise.ts";

/** Where things are inside the sandbox. */
const inside = { work: "/work", home: "/home/learner", tools: "/opt/k8s-practice" };

/**
 * Bubblewrap (https://github.com/containers/bubblewrap): user, PID, mount, IPC, UTS and network namespaces of its own,
 * a read-only system without /home, /root, /etc's secrets or the project, and the cluster's port as the only way out.
 * All that the script starts ends with it, since its PID namespace does.
 */
export class BwrapIsolation implements Isolation {
  readonly name = "bwrap";
  private readonly users = new SandboxUsers();
  /** Folders with what scripts run with, by the kubectl in them. */
  private readonly tools = new Map<string, string>();

  async run(job: ScriptJob): Promise<ScriptRun> {
    const uid = this.users.take();
    const folder = mkdtempSync(join(tmpdir(), "k8s-practice-sandbox-"));
    let relay: ClusterRelay | undefined;
    try {
      const kubeconfig = sandboxKubeconfig(readFileSync(job.kubeconfig, "utf8"));
      writeFileSync(join(folder, "kubeconfig"), kubeconfig.text, { mode: 0o600 });
      relay = await ClusterRelay.listen(join(folder, "cluster.sock"), kubeconfig.address);
      const tools = this.stageTools(job.kubectl);
      cpSync(job.submission, join(folder, "submission"), { recursive: true });
      if (uid !== undefined) chownTree(folder, uid);
      return await this.execute(job, { folder, tools, uid, port: kubeconfig.port });
    } finally {
      await relay?.close();
      rmSync(folder, { recursive: true, force: true });
      this.users.release(uid);
    }
  }

  /** Removes what `run` staged for all scripts. */
  close(): void {
    for (const folder of this.tools.values()) rmSync(folder, { recursive: true, force: true });
    this.tools.clear();
  }

  /** Node and kubectl may live in a home folder that the sandbox's user can't enter: they are copied once. */
  private stageTools(kubectl: string): string {
    const staged = this.tools.get(kubectl);
    if (staged !== undefined) return staged;
    const tools = mkdtempSync(join(tmpdir(), "k8s-practice-tools-"));
    this.tools.set(kubectl, tools);
    chmodSync(tools, 0o755);
    for (const [from, name] of [
      [kubectl, "kubectl"],
      [process.execPath, "node"],
      [join(packageRoot(), "src/grade/isolation/supervisor.mjs"), "supervisor.mjs"],
    ] as const) {
      copyFileSync(from, join(tools, name));
      chmodSync(join(tools, name), 0o755);
    }
    return tools;
  }

  private async execute(
    job: ScriptJob,
    { folder, tools, uid, port }: { folder: string; tools: string; uid: number | undefined; port: number },
  ): Promise<ScriptRun> {
    const supervised = JSON.stringify({
      port,
      socket: "/run/k8s-practice/cluster.sock",
      from: "/run/k8s-practice/submission",
      to: inside.work,
      kubeconfig: ["/run/k8s-practice/kubeconfig", `${inside.home}/.kube`],
      file: job.file,
      processes: job.limits.processes,
      fileBytes: job.limits.fileBytes,
    });
    const args = [
      ...bwrapArguments({ folder, tools, fileBytes: job.limits.fileBytes }),
      "--json-status-fd",
      "3",
      "--",
      `${inside.tools}/node`,
      `${inside.tools}/supervisor.mjs`,
      supervised,
    ];
    const [command, commandArgs] =
      uid === undefined
        ? ["bwrap", args]
        : ["setpriv", [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--", "bwrap", ...args]];
    const output = new CapturedOutput(job.limits.outputBytes);
    const child = spawn(command, commandArgs, { stdio: ["ignore", "pipe", "pipe", "pipe"], env: {}, detached: true });
    return await superviseSandbox(child, job, output);
  }
}

/** The mounts, namespaces and environment of the sandbox. */
export function bwrapArguments(job: { folder: string; tools: string; fileBytes: number }): string[] {
  const system = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].filter((path) => existsSync(path));
  const etc = ["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "nsswitch.conf"];
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000", "--hostname", "submission"],
    ...["--ro-bind", "/usr", "/usr"],
    ...system.flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path],
    ),
    ...etc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    // What a system keeps under /usr/local may be anyone's: only its programs are shown.
    ...["--tmpfs", "/usr/local"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(job.fileBytes), "--tmpfs", "/tmp", "--size", String(job.fileBytes), "--tmpfs", inside.work],
    ...["--size", String(job.fileBytes), "--tmpfs", inside.home, "--tmpfs", "/run"],
    ...["--ro-bind", join(job.folder, "submission"), "/run/k8s-practice/submission"],
    ...["--ro-bind", join(job.folder, "cluster.sock"), "/run/k8s-practice/cluster.sock"],
    ...["--ro-bind", join(job.tools, "kubectl"), `${inside.tools}/bin/kubectl`],
    ...["--ro-bind", join(job.tools, "node"), `${inside.tools}/node`],
    ...["--ro-bind", join(job.tools, "supervisor.mjs"), `${inside.tools}/supervisor.mjs`],
    ...["--ro-bind", join(job.folder, "kubeconfig"), "/run/k8s-practice/kubeconfig"],
    ...["--remount-ro", "/usr/local", "--chdir", inside.work, "--clearenv"],
    ...["--setenv", "PATH", `${inside.tools}/bin:/usr/bin:/bin:/usr/sbin:/sbin`],
    ...[
      "--setenv",
      "HOME",
      inside.home,
      "--setenv",
      "KUBECONFIG",
      `${inside.home}/.kube/config`,
      "--setenv",
      "LANG",
      "C.UTF-8",
    ],
  ];
}

function chownTree(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownTree(join(path, name), uid);
}
