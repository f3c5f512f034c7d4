import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { knownFailures, recogniseFailure } from "../../../src/clusters/kind/failures.ts";
import { kindProvider } from "../../../src/clusters/kind/provider.ts";
import type { ClusterProvider } from "../../../src/clusters/provider.ts";
import { hasMessage } from "../../../src/messages/catalogue.ts";
import { loadTranslator } from "../../../src/messages/translator.ts";
import { type Machine, machine } from "./stand-in/machine.ts";

const KUBEADM =
  'ERROR: failed to create cluster: failed to init node with kubeadm: command "docker exec --privileged k8s-practice-control-plane kubeadm init --config=/kind/kubeadm.conf --skip-token-print --v=6" failed with error: exit status 1\n\nCommand Output: I1201 12:00:00.000000     248 initconfiguration.go:261] loading configuration from "/kind/kubeadm.conf"\n';
const PULL =
  'ERROR: failed to create cluster: failed to pull image "kindest/node:v1.36.4": command "docker pull kindest/node:v1.36.4" failed with error: exit status 1\n\nCommand Output: ';
const RUN =
  'ERROR: failed to create cluster: command "docker run --name k8s-practice-worker --hostname k8s-practice-worker" failed with error: exit status 125\n\nCommand Output: ';

/** What the programs print for each cause. */
const outputs: Record<string, string[]> = {
  permission: [
    "permission denied while trying to connect to the docker API at unix:///var/run/docker.sock\n",
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.47/info": dial unix /var/run/docker.sock: connect: permission denied\n',
  ],
  daemon: [
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n",
    "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory\n",
    "error during connect: this error may indicate that the docker daemon is not running: Get http://%2F%2F.%2Fpipe%2Fdocker_engine/v1.24/info\n",
    "Cannot connect to Podman. Please verify your connection to the Linux system using `podman system connection list`\n",
  ],
  "docker-config": [
    "WARNING: Error loading config file: /home/user/.docker/config.json: open /home/user/.docker/config.json: permission denied\n",
  ],
  "windows-containers": [`${PULL}no matching manifest for windows/amd64 10.0.19045 in the manifest list entries\n`],
  "rate-limit": [
    `${PULL}Error response from daemon: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit\n`,
    "failed open: unexpected status code https://registry-1.docker.io/v2/library/busybox/manifests/sha256:50aa: 429 Too Many Requests - Server message: toomanyrequests\n",
  ],
  snap: [
    'ERROR: command "docker save -o /tmp/images-tar2327081908/images.tar busybox" failed with error: exit status 1\nCommand Output: failed to save image: invalid output path: directory "/tmp/images-tar2327081908" does not exist\n',
  ],
  inotify: [
    `${KUBEADM}kubelet: E1201 failed to create fsnotify watcher: too many open files\n`,
    "Failed to create control group inotify object: Too many open files\nFailed to allocate manager object: Too many open files\n[!!!!!!] Failed to allocate manager object.\n",
  ],
  disk: [
    `${RUN}docker: Error response from daemon: mkdir /var/lib/docker/overlay2/1: no space left on device.\n`,
    "kubelet[688]: I1207 eviction_manager.go:340] eviction manager: must evict pod(s) to reclaim ephemeral-storage\n",
  ],
  wsl: [
    "OCI runtime exec failed: exec failed: unable to start container process: error adding pid 655569 to cgroups: failed to write 655569: openat2 /sys/fs/cgroup/unified/cgroup.procs: no such file or directory: unknown\n",
  ],
  "rootless-cgroup": [
    "ERROR: failed to create cluster: running kind with rootless provider requires cgroup v2, see https://kind.sigs.k8s.io/docs/user/rootless/\n",
    'ERROR: failed to create cluster: running kind with rootless provider requires setting systemd property "Delegate=yes", see https://kind.sigs.k8s.io/docs/user/rootless/\n',
  ],
  "cgroup-v1": [
    'kubelet[248]: E1201 run.go:72] "command failed" err="failed to run Kubelet: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release"\n',
  ],
  "cgroup-namespace": [
    `${RUN}WARNING: Your kernel does not support cgroup namespaces.  Cgroup namespace setting discarded.\n`,
  ],
  memory: [
    'ERROR: failed to create cluster: command "docker exec k8s-practice-worker kubeadm join" failed with error: signal: killed\n',
    "kernel: Out of memory: Killed process 3021 (kube-apiserver) total-vm:1245236kB\n",
  ],
  mount: [
    `${RUN}docker: Error response from daemon: Mounts denied: \nThe path /opt/practice is not shared from the host and is not known to Docker.\n`,
  ],
  port: [
    `${RUN}docker: Error response from daemon: driver failed programming external connectivity on endpoint k8s-practice-control-plane: Bind for 127.0.0.1:36443 failed: port is already allocated.\n`,
    "Error response from daemon: Ports are not available: exposing port TCP 127.0.0.1:36443 -> 0.0.0.0:0: listen tcp 127.0.0.1:36443: bind: address already in use\n",
  ],
  name: [
    'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "k8s-practice"\n',
    `${RUN}docker: Error response from daemon: Conflict. The container name "/k8s-practice-worker" is already in use by container "f00".\n`,
  ],
  architecture: [
    `${PULL}Error response from daemon: no matching manifest for linux/arm64/v8 in the manifest list entries: no match for platform in manifest\n`,
    "WARNING: The requested image's platform (linux/amd64) does not match the detected host platform (linux/arm64/v8) and no specific platform was requested\n",
    "exec /usr/local/bin/entrypoint: exec format error\n",
  ],
  "old-kind": [
    `${KUBEADM}your configuration file uses an old API spec: "kubeadm.k8s.io/v1beta3" (kind: "ClusterConfiguration"). Please use kubeadm v1.36 instead and run 'kubeadm config migrate --old-config old-config-file --new-config new-config-file'\n`,
    "ERROR: failed to load image: failed to detect containerd snapshotter\n",
  ],
  proxy: [
    '[preflight] Running pre-flight checks\n\t[WARNING HTTPProxy]: Connection to "https://172.18.0.4" uses proxy "http://proxy.example:3128". If that is not intended, adjust your proxy settings\n',
    `${PULL}Error response from daemon: Get "https://registry-1.docker.io/v2/": proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused\n`,
  ],
  network: [
    `${PULL}Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 127.0.0.53:53: no such host\n`,
    'Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout\n',
  ],
  subnet: [
    'ERROR: failed to create cluster: failed to ensure docker network: command "docker network create -d=bridge kind" failed with error: exit status 1\nCommand Output: Error response from daemon: could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network\n',
    "Error response from daemon: all predefined address pools have been fully subnetted\n",
  ],
  init: ["Couldn't find an alternative telinit implementation to spawn.\n"],
  rootfs: [
    'kubelet: "Failed to start ContainerManager" err="failed to get rootfs info: failed to get device for dir \\"/var/lib/kubelet\\": could not find device with major: 0, minor: 40 in cached partitions map"\n',
  ],
  selinux: [`${RUN}docker: Error response from daemon: open /dev/dma_heap: permission denied.\n`],
  apparmor: [
    `${RUN}docker: Error response from daemon: AppArmor enabled on system but the docker-default profile could not be loaded: apparmor_parser failed\n`,
  ],
  "image-store": [
    'ERROR: failed to load image: command "docker exec --privileged -i k8s-practice-worker ctr --namespace=k8s.io images import --all-platforms --digests --snapshotter=overlayfs -" failed with error: exit status 1\nCommand Output: ctr: content digest sha256:0f00d: not found\n',
  ],
  boot: [
    'ERROR: failed to create cluster: could not find a log line that matches "Reached target .*Multi-User System.*|detected cgroup v1"\n',
  ],
  slow: [`${KUBEADM}error: error execution phase wait-control-plane: timed out waiting for the condition\n`],
};

describe("a known failure", () => {
  it.each(Object.entries(outputs).flatMap(([cause, texts]) => texts.map((text) => [cause, text])))(
    "%s is recognised in %j",
    (cause, text) => {
      expect(recogniseFailure(text!)?.key).toBe(`clusters.kind.failure.${cause}`);
    },
  );

  it("has recorded output here, and one cause and one remedy in the catalogue", () => {
    for (const { key } of knownFailures) {
      expect(Object.keys(outputs)).toContain(key.replace("clusters.kind.failure.", ""));
      expect(hasMessage(`${key}.hint`)).toBe(true);
    }
  });

  it("can be said", async () => {
    const say = await loadTranslator("en");
    for (const { key } of knownFailures) {
      for (const platform of ["linux", "darwin", "win32"]) {
        for (const part of [key, `${key}.hint`] as (typeof key)[]) {
          expect(say({ key: part, values: { platform, log: "/log", port: "6443" } })).not.toMatch(/[{}]/);
        }
      }
    }
  });

  it("names the port that is taken", () => {
    expect(recogniseFailure(outputs["port"]![0]!)?.values).toEqual({ port: "36443" });
  });
});

describe("when kind fails", () => {
  let here: Machine;
  let provider: ClusterProvider;
  beforeEach(async () => {
    here = await machine();
    provider = kindProvider(here);
  });
  afterEach(() => here.remove());
  const up = () => provider.up({ controlPlanes: 1, workers: 2 }, here.progress);
  const called = async (line: string) =>
    (await here.calls()).some(({ program, args }) => `${program} ${args.join(" ")}`.startsWith(line));

  it("the cause is shown and the remains are deleted", async () => {
    await here.set({ fail: { create: { phase: "Starting", text: outputs["old-kind"]![0] } } });
    await expect(up()).rejects.toMatchObject({ kind: "environment", text: { key: "clusters.kind.failure.old-kind" } });
    expect((await here.state()).containers).toEqual([]);
    expect(await called("kind delete cluster")).toBe(true);
  });

  it("the cause is found in the nodes' logs when kind does not say it", async () => {
    await here.set({
      fail: { create: { phase: "Starting", text: outputs["slow"]![0] }, kubeletLog: outputs["inotify"]![0] },
    });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.failure.inotify" } });
    expect(await called("kind export logs")).toBe(true);
  });

  it("what it said last is shown when the cause is not known, with the log's path", async () => {
    await here.set({ fail: { create: { phase: "Writing", text: "ERROR: failed to create cluster: a new thing\n" } } });
    await expect(up()).rejects.toMatchObject({
      text: { key: "clusters.kind.failed", values: { reason: "failed to create cluster: a new thing" } },
      hint: { values: { log: expect.stringContaining("kind.log") } },
    });
  });

  it.each(["daemon", "permission"])("because of the engine (%s), nothing else is tried", async (cause) => {
    await here.set({ fail: { info: { text: outputs[cause]![0] } } });
    await expect(up()).rejects.toMatchObject({ text: { key: `clusters.kind.failure.${cause}` } });
    expect((await provider.detect()).usable).toBe(false);
    expect(await called("kind create")).toBe(false);
  });

  it("a taken port at the start after a reboot is named", async () => {
    await up();
    const { containers } = await here.state();
    const stopped = containers.map((container) => ({ ...container, status: "exited" }));
    await here.set({ containers: stopped, fail: { start: { text: outputs["port"]![1] } } });
    await expect(up()).rejects.toMatchObject({
      text: { key: "clusters.kind.failure.port", values: { port: "36443" } },
    });
  });

  it.each([
    ["cgroup v1", { CgroupVersion: "1" }, "clusters.kind.failure.cgroup-v1"],
    [
      "cgroup v1 on WSL2",
      { CgroupVersion: "1", KernelVersion: "5.15-microsoft-standard-WSL2" },
      "clusters.kind.failure.wsl",
    ],
    ["little memory", { MemTotal: 1_000_000_000 }, "clusters.kind.memory"],
  ])("%s is seen before anything is made", async (_, info, key) => {
    await here.set({ info });
    await expect(up()).rejects.toMatchObject({ text: { key } });
    expect(await called("docker pull")).toBe(false);
  });

  it("Docker as a snap with a hidden home folder is seen before anything is made", async () => {
    provider = kindProvider({ home: `${here.home}/.hidden`, env: here.env });
    await here.set({ info: { DockerRootDir: "/var/snap/docker/common/var-lib-docker" } });
    await expect(up()).rejects.toMatchObject({ text: { key: "clusters.kind.snap-home" } });
  });

  it("Docker as a snap is given a folder for temporary files that it can see", async () => {
    await here.set({ info: { DockerRootDir: "/var/snap/docker/common/var-lib-docker" } });
    const cluster = await up();
    await cluster.prepareImages!(["busybox:1.37"], here.progress);
    const load = (await here.calls()).find(({ args }) => args[0] === "load");
    expect(load?.tmpdir).toBe(`${here.home}/clusters/kind`);
  });
});
