import type { MessageKey, MessageValues } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";

/** A failure with one cause and one remedy (under the same key and `.hint` in the catalogue). */
export interface KnownFailure {
  key: MessageKey;
  pattern: RegExp;
  /** Placeholders of the message, from the match. */
  values?(match: RegExpExecArray): MessageValues;
}

/**
 * What kind, the container engines, kubeadm and the kubelet say when they fail, most specific first: a full disk also
 * ends in a time-out, and it is the disk that has to be named. docs/clusters.md explains each.
 */
export const knownFailures: KnownFailure[] = [
  {
    key: "clusters.kind.failure.permission",
    pattern:
      /permission denied while trying to connect to the docker|docker\.sock: connect: permission denied|Got permission denied/i,
  },
  {
    key: "clusters.kind.failure.daemon",
    pattern:
      /Cannot connect to the Docker daemon|Is the docker daemon running|error during connect|docker daemon is not running|failed to connect to the docker API|Cannot connect to Podman|cannot access containerd socket|info: no answer in/i,
  },
  {
    key: "clusters.kind.failure.docker-config",
    pattern: /Error loading config file:? .*permission denied|open .*\.docker\/config\.json: permission denied/i,
  },
  {
    key: "clusters.kind.failure.windows-containers",
    pattern: /no matching manifest for windows|image operating system "linux" cannot be used/i,
  },
  {
    key: "clusters.kind.failure.rate-limit",
    pattern: /toomanyrequests|pull rate limit|429 Too Many Requests/i,
  },
  {
    key: "clusters.kind.failure.snap",
    pattern: /invalid output path: directory "[^"]*images-tar|open \/tmp\/[^:]*images-tar[^:]*: no such file/i,
  },
  {
    key: "clusters.kind.failure.inotify",
    pattern:
      /too many open files|inotify_init|inotify.*no space left on device|Failed to (allocate|add) (directory )?watch/i,
  },
  {
    key: "clusters.kind.failure.disk",
    pattern: /no space left on device|disk quota exceeded|must evict pod\(s\) to reclaim ephemeral-storage/i,
  },
  {
    key: "clusters.kind.failure.wsl",
    pattern: /error adding pid \d+ to cgroups/i,
  },
  {
    key: "clusters.kind.failure.rootless-cgroup",
    pattern: /rootless provider requires (cgroup v2|setting systemd property "?Delegate)/i,
  },
  {
    key: "clusters.kind.failure.cgroup-v1",
    pattern: /configured to not run on a host using cgroup v1|FailCgroupV1|cgroup v1 support is unsupported/i,
  },
  {
    key: "clusters.kind.failure.cgroup-namespace",
    pattern: /kernel does not support cgroup namespaces/i,
  },
  {
    key: "clusters.kind.failure.memory",
    pattern:
      /signal: killed|OOM-?kill(ed|ing)|Out of memory|cannot allocate memory|exit status 137|must evict pod\(s\) to reclaim memory/i,
  },
  {
    key: "clusters.kind.failure.mount",
    pattern: /Mounts denied|is not shared from the host|path .* is not shared|bind source path does not exist/i,
  },
  {
    key: "clusters.kind.failure.port",
    pattern: /port is already allocated|address already in use|ports are not available/i,
    values: (match) => ({
      port: /:(\d{2,5})\b/.exec(match.input.slice(Math.max(0, match.index - 200), match.index + 200))?.[1] ?? "",
    }),
  },
  {
    key: "clusters.kind.failure.name",
    pattern: /node\(s\) already exist for a cluster with the name|container name "\/?[^"]+" is already in use/i,
  },
  {
    key: "clusters.kind.failure.architecture",
    pattern:
      /exec format error|no matching manifest for linux\/(arm64|amd64)|does not match the detected host platform|no image found in image index for architecture/i,
  },
  {
    key: "clusters.kind.failure.old-kind",
    pattern:
      /uses an old API spec: "?kubeadm\.k8s\.io|no kind "?(Cluster|Init)Configuration"? is registered for version "?kubeadm|unknown containerd config version|failed to detect containerd (config version|snapshotter)/i,
  },
  {
    key: "clusters.kind.failure.proxy",
    pattern: /\[WARNING HTTPProxy(CIDR)?\]|uses proxy "?https?:|proxyconnect tcp|407 Proxy Authentication/i,
  },
  {
    key: "clusters.kind.failure.network",
    pattern:
      /(pull|resolve|manifests|registry|docker\.io).*(no such host|Temporary failure in name resolution|server misbehaving|network is unreachable|i\/o timeout|TLS handshake timeout|connection refused|request canceled while waiting for connection|context deadline exceeded)/i,
  },
  {
    key: "clusters.kind.failure.subnet",
    pattern:
      /non-overlapping (IPv4 address pool|subnet)|predefined address pools have been fully subnetted|Pool overlaps/i,
  },
  {
    key: "clusters.kind.failure.init",
    pattern: /Couldn't find an alternative telinit implementation/i,
  },
  {
    key: "clusters.kind.failure.rootfs",
    pattern: /failed to get rootfs info|could not find device with major|stat failed on \/dev\//i,
  },
  {
    key: "clusters.kind.failure.selinux",
    pattern: /open \/dev\/dma_heap: permission denied/i,
  },
  {
    key: "clusters.kind.failure.apparmor",
    pattern: /apparmor[^\n]*(denied|failed|unable|error)/i,
  },
  {
    key: "clusters.kind.failure.image-store",
    pattern: /ctr: content digest sha256:[0-9a-f]+: not found/i,
  },
  {
    key: "clusters.kind.failure.boot",
    pattern: /could not find a log line that matches/i,
  },
  {
    key: "clusters.kind.failure.slow",
    pattern: /timed out waiting for the condition|context deadline exceeded|wait-control-plane|kubelet is not healthy/i,
  },
];

/** The first known failure that the output shows. */
export function recogniseFailure(output: string): { key: MessageKey; values: MessageValues } | undefined {
  for (const { key, pattern, values } of knownFailures) {
    const match = pattern.exec(output);
    if (match !== null) return { key, values: values?.(match) ?? {} };
  }
  return undefined;
}

/**
 * The error to show for a program's output: the known failure's one cause and one remedy, else
 * `clusters.kind.failed` with the last thing that was said.
 * @param log where the whole output is
 */
export function failureError(output: string, log: string, cause?: unknown): PracticeError {
  const known = recogniseFailure(output);
  const base = { log, platform: process.platform };
  if (known !== undefined) return new PracticeError("environment", known.key, { ...base, ...known.values }, { cause });
  return new PracticeError("environment", "clusters.kind.failed", { ...base, reason: lastWord(output) }, { cause });
}

function lastWord(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const error = lines.findLast((line) => /^ERROR:/.test(line)) ?? lines.at(-1) ?? "";
  return error.replace(/^ERROR: /, "");
}
