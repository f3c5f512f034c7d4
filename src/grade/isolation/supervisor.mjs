// Runs inside the sandbox, before the submission's script: copies the submission to a scratch folder, leads the cluster's
// loopback port to the relay outside, and starts the script with its limits. Plain JavaScript without imports of ours,
// since nothing of the project is visible in there.
//   node supervisor.mjs JSON        {port, socket, from, to, kubeconfig: [file, folder], file, processes, fileBytes}
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";

const job = JSON.parse(process.argv[2]);

try {
  // When the machine runs out of memory, the kernel takes this script first.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {}

cpSync(job.from, job.to, { recursive: true, force: true, dereference: false });
mkdirSync(job.kubeconfig[1], { recursive: true });
copyFileSync(job.kubeconfig[0], `${job.kubeconfig[1]}/config`);

const server = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: job.socket, allowHalfOpen: true });
  inside.pipe(outside).pipe(inside);
  inside.on("error", () => outside.destroy());
  outside.on("error", () => inside.destroy());
});
server.on("error", (error) => {
  process.stderr.write(`supervisor: ${error.message}\n`);
  process.exit(125);
});
server.listen(job.port, "127.0.0.1", () => {
  const limits = `ulimit -S -c 0; ulimit -H -c 0; ulimit -f ${Math.ceil(job.fileBytes / 1024)}; ulimit -u ${job.processes}; ulimit -n 1024`;
  const child = spawn("/bin/bash", ["-c", `${limits}; exec /bin/bash --noprofile --norc -- "$0"`, job.file], {
    cwd: job.to,
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
    env: process.env,
  });
  child.on("error", (error) => {
    process.stderr.write(`supervisor: ${error.message}\n`);
    process.exit(125);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === "SIGKILL" ? 9 : 15)));
});
