import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa, type Options } from "execa";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folder with a kubectl of our own, fetched on first use; never the machine's. */
export function kubectlFolder(): string {
  return execFileSync("node", [join(root, "scripts/fetch-kubectl.mjs")], { encoding: "utf8" }).trim();
}

export interface Ran {
  stdout: string;
  stderr: string;
  code: number | undefined;
  signal: string | undefined;
}

/**
 * A learner's desk: the real `./run` with a home, a kubeconfig and a PATH of its own. Nothing of the machine's user is
 * read or changed. `leave` stops the cluster and removes everything.
 */
export class Workplace {
  private constructor(
    readonly folder: string,
    readonly env: Record<string, string>,
  ) {}

  static async make(options: { kubectl?: boolean; env?: Record<string, string> } = {}): Promise<Workplace> {
    const folder = await mkdtemp(join(tmpdir(), "k8s-practice desk "));
    const bin = join(folder, "bin");
    await mkdir(bin);
    // Only what the launcher and the scripts need: kind and docker of this machine must not decide the test.
    for (const program of [
      "node",
      "bash",
      "sh",
      "env",
      "find",
      "head",
      "readlink",
      "dirname",
      "flock",
      "sed",
      "grep",
      "tr",
      "cat",
      "sleep",
      "touch",
    ]) {
      const path =
        program === "node"
          ? process.execPath
          : execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
      await symlink(path, join(bin, program));
    }
    if (options.kubectl !== false) await symlink(join(kubectlFolder(), "kubectl"), join(bin, "kubectl"));
    await mkdir(join(folder, "home"));
    return new Workplace(folder, {
      PATH: bin,
      HOME: join(folder, "home"),
      KUBECONFIG: join(folder, "kubeconfig"),
      K8S_PRACTICE_HOME: join(folder, "practice"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      ...options.env,
    });
  }

  get home(): string {
    return this.env["K8S_PRACTICE_HOME"]!;
  }

  /** `./run ARGS`, never failing the test by itself. */
  async run(args: string[], options: Options = {}): Promise<Ran> {
    return this.command(join(root, "run"), args, options);
  }

  async command(program: string, args: string[], options: Options = {}): Promise<Ran> {
    const result = await execa(program, args, {
      cwd: this.folder,
      env: this.env,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
      timeout: 60_000,
      ...options,
    });
    return {
      stdout: String(result.stdout ?? ""),
      stderr: String(result.stderr ?? ""),
      code: result.exitCode,
      signal: result.signal,
    };
  }

  /** A line typed into a shell: `kubectl get pods`, `./run verify`. */
  async shell(line: string): Promise<Ran> {
    return this.command("bash", ["-c", line.replaceAll("./run", `'${join(root, "run")}'`)]);
  }

  async kubectl(...args: string[]): Promise<Ran> {
    return this.command("kubectl", args);
  }

  async write(name: string, content: string): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  async leave(): Promise<void> {
    await this.run(["cluster", "down", "--cluster", "embedded"]).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  with(env: Record<string, string>): Workplace {
    return new Workplace(this.folder, { ...this.env, ...env });
  }

  /** PATH with one more folder first. */
  withPath(folder: string): Workplace {
    return this.with({ PATH: `${folder}${delimiter}${this.env["PATH"]}` });
  }
}
