// Stands in for kind and docker: accepts only command lines that the real programs take, checks every file it is given,
// answers with recorded text, and keeps its containers and images in state.json of its folder (STAND_IN).
//   node stand-in.mjs kind|docker|podman ARG...
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";

const [program, ...args] = process.argv.slice(2);
const folder = process.env.STAND_IN;
const recorded = (name) => readFileSync(new URL(`./recorded/${name}`, import.meta.url), "utf8");
const readState = () => JSON.parse(readFileSync(`${folder}/state.json`, "utf8"));
const writeState = (state) => writeFileSync(`${folder}/state.json`, JSON.stringify(state, null, 2));
const line = args.join(" ");
const environment = { provider: process.env.KIND_EXPERIMENTAL_PROVIDER, tmpdir: process.env.TMPDIR };
appendFileSync(`${folder}/calls.jsonl`, `${JSON.stringify({ program, args, ...environment })}\n`);

function refuse(why) {
  console.error(`stand-in ${program}: ${why}: ${line}`);
  process.exit(64);
}
const check = (condition, why) => condition || refuse(why);
function option(name) {
  const at = args.indexOf(name);
  check(at >= 0 && args[at + 1] !== undefined, `${name} is missing`);
  return args[at + 1];
}
/** Every argument must be one of these, or follow one that takes a value. */
function only(words, withValue) {
  for (let i = 0; i < args.length; i++) {
    if (withValue.includes(args[i])) i++;
    else check(words.includes(args[i]), `unexpected argument ${args[i]}`);
  }
}
function failWith({ text, code = 1 }) {
  process.stderr.write(text);
  process.exit(code);
}

const state = readState();
const fail = state.fail ?? {};
if (program === "kind") kind();
else engine();

function kind() {
  if (line === "version") {
    console.log(`kind v${state.kindVersion ?? "0.33.0"} go1.26.0 linux/amd64`);
  } else if (args[0] === "create" && args[1] === "cluster") createCluster();
  else if (args[0] === "delete" && args[1] === "cluster") {
    only(["delete", "cluster"], ["--name", "--kubeconfig"]);
    check(option("--name") === "k8s-practice", "wrong name");
    if (fail.delete) failWith(fail.delete);
    console.error('Deleting cluster "k8s-practice" ...');
    if (state.containers.length > 0)
      console.error(`Deleted nodes: ${JSON.stringify(state.containers.map((c) => c.name))}`);
    writeState({ ...state, containers: [] });
  } else if (args[0] === "export" && args[1] === "logs") {
    check(option("--name") === "k8s-practice", "wrong name");
    const target = `${args[2]}/k8s-practice-control-plane`;
    mkdirSync(target, { recursive: true });
    writeFileSync(`${target}/kubelet.log`, fail.kubeletLog ?? "");
    console.error(`Exporting logs for cluster "k8s-practice" to:\n${args[2]}`);
  } else if (args[0] === "export" && args[1] === "kubeconfig") {
    only(["export", "kubeconfig"], ["--name", "--kubeconfig"]);
    writeKubeconfig(option("--kubeconfig"));
  } else if (args[0] === "load" && (args[1] === "docker-image" || args[1] === "image-archive")) {
    check(option("--name") === "k8s-practice", "wrong name");
    const given = args.slice(2, args.indexOf("--name"));
    if (args[1] === "image-archive")
      check(
        given.every((file) => existsSync(file)),
        "no such archive",
      );
    else
      check(
        given.every((image) => state.images.includes(image)),
        "image not present locally",
      );
    if (fail.load) failWith(fail.load);
    writeState({ ...state, loaded: [...(state.loaded ?? []), ...given] });
  } else refuse("unknown command");
}

function createCluster() {
  only(["create", "cluster", "--retain"], ["--name", "--config", "--image", "--kubeconfig"]);
  check(option("--name") === "k8s-practice", "wrong name");
  check(args.includes("--retain"), "--retain is missing");
  const image = option("--image");
  check(
    /^kindest\/node:v1\.\d+\.\d+@sha256:[0-9a-f]{64}$/.test(image) || image === state.override,
    "image is not pinned",
  );
  const names = checkConfig(load(readFileSync(option("--config"), "utf8")));
  const target = option("--kubeconfig");
  if (state.containers.length > 0) {
    failWith({
      text: 'ERROR: failed to create cluster: node(s) already exist for a cluster with the name "k8s-practice"\n',
    });
  }
  const output = recorded("create.txt").replaceAll("IMAGE", image.split("@")[0]).split("\n");
  for (const text of output) {
    const starting = /^ • (.+?) {2}\.\.\.$/.exec(text)?.[1];
    process.stderr.write(`${text}\n`);
    if (starting?.startsWith("Preparing nodes")) {
      const containers = names.map(({ name, mounts }) => ({
        id: `${name}-${process.pid}`,
        name,
        image,
        status: "running",
        mounts,
      }));
      writeState({ ...readState(), containers });
    }
    if (starting !== undefined && fail.create?.phase !== undefined && starting.startsWith(fail.create.phase)) {
      if (fail.create.hang) {
        writeFileSync(`${folder}/hanging`, "");
        setInterval(() => {}, 1000);
        return;
      }
      process.stderr.write(` ✗ ${starting}\n`);
      failWith(fail.create);
    }
  }
  writeKubeconfig(target);
}

/** kind validates what it is given; so do we, and that the audit log is what it must be. */
function checkConfig(config) {
  check(config.kind === "Cluster" && config.apiVersion === "kind.x-k8s.io/v1alpha4", "not a kind configuration");
  check(config.name === "k8s-practice", "wrong cluster name");
  const patches = config.kubeadmConfigPatches.map((patch) => load(patch));
  const byVersion = Object.fromEntries(patches.map((patch) => [patch.apiVersion, patch]));
  check(
    patches.every((patch) => patch.kind === "ClusterConfiguration"),
    "patch of another kind",
  );
  const map = byVersion["kubeadm.k8s.io/v1beta3"].apiServer;
  const list = byVersion["kubeadm.k8s.io/v1beta4"].apiServer;
  check(!Array.isArray(map.extraArgs) && Array.isArray(list.extraArgs), "extraArgs of the wrong shape");
  check(
    Object.values(map.extraArgs).every((value) => typeof value === "string"),
    "extraArgs must be strings",
  );
  const listed = Object.fromEntries(list.extraArgs.map(({ name, value }) => [name, value]));
  check(JSON.stringify(listed) === JSON.stringify(map.extraArgs), "the two patches differ");
  const counts = { "control-plane": 0, worker: 0 };
  return config.nodes.map((node) => {
    check(node.role in counts, "unknown role");
    check(node.extraPortMappings === undefined, "a host port is mapped");
    check(/^[0-9a-f-]{36}$/.test(node.labels["k8s-practice.io/cluster-id"]), "no cluster id");
    const count = ++counts[node.role];
    const mounts = node.extraMounts ?? [];
    if (node.role === "control-plane") {
      const inNode = Object.fromEntries(mounts.map((mount) => [mount.containerPath, mount.hostPath]));
      const policy = load(readFileSync(inNode[listed["audit-policy-file"]], "utf8"));
      check(policy.kind === "Policy" && policy.apiVersion === "audit.k8s.io/v1", "no audit policy");
      const logFolder = listed["audit-log-path"].replace(/\/[^/]+$/, "");
      check(statSync(inNode[logFolder]).isDirectory(), "no folder for the audit log");
      const volumes = list.extraVolumes.map((volume) => volume.mountPath);
      check(
        volumes.includes(logFolder) && volumes.includes(listed["audit-policy-file"]),
        "not mounted into the API server",
      );
    }
    return {
      name: `k8s-practice-${node.role}${count === 1 ? "" : count}`,
      mounts: mounts.map((mount) => mount.hostPath),
    };
  });
}

function writeKubeconfig(target) {
  writeFileSync(target, readFileSync(`${folder}/kubeconfig`, "utf8"), { mode: 0o600 });
}

function engine() {
  const [command] = args;
  if (line === "info --format {{json .}}") {
    if (fail.info) failWith(fail.info);
    console.log(JSON.stringify({ ...JSON.parse(recorded(`${program}-info.json`)), ...state.info }));
  } else if (command === "ps") {
    check(
      line === "ps --all --no-trunc --filter label=io.x-k8s.kind.cluster=k8s-practice --format {{.ID}}",
      "unexpected arguments",
    );
    if (fail.ps) failWith(fail.ps);
    for (const container of state.containers) console.log(container.id);
  } else if (command === "inspect") {
    check(args[1] === "--type" && args[2] === "container", "unexpected arguments");
    console.log(JSON.stringify(args.slice(3).map(inspected)));
  } else if (command === "image" && args[1] === "inspect") {
    check(args.length === 3, "unexpected arguments");
    if (!state.images.includes(args[2])) failWith({ text: `Error response from daemon: No such image: ${args[2]}\n` });
    console.log("[{}]");
  } else if (command === "pull") {
    check(args.length === 2, "unexpected arguments");
    if (fail.pull) failWith(fail.pull);
    process.stdout.write(recorded("pull.txt"));
    writeState({ ...state, images: [...state.images, args[1]] });
  } else if (command === "save") {
    check(args[1] === "--output", "unexpected arguments");
    check(
      args.slice(3).every((image) => state.images.includes(image)),
      "no such image",
    );
    writeFileSync(args[2], "archive");
  } else if (["start", "stop", "unpause"].includes(command)) {
    const names = args.slice(1).filter((word, i, words) => word !== "--time" && words[i - 1] !== "--time");
    const known = state.containers.map((container) => container.name);
    check(names.length > 0 && names.every((name) => known.includes(name)), "no such container");
    if (fail[command]) failWith(fail[command]);
    const status = command === "stop" ? "exited" : "running";
    const containers = state.containers.map((c) => (names.includes(c.name) ? { ...c, status } : c));
    writeState({ ...state, containers });
    console.log(names.join("\n"));
  } else if (command === "exec") {
    const [, node, shell, flag, script] = args;
    check(node === "k8s-practice-control-plane" && shell === "sh" && flag === "-c", "unexpected arguments");
    execScript(script);
  } else refuse("unknown command");
}

function inspected(id) {
  const container = state.containers.find((candidate) => candidate.id === id);
  check(container !== undefined, "no such container");
  return {
    Id: container.id,
    Name: `/${container.name}`,
    State: { Status: container.status, Running: container.status === "running", Paused: container.status === "paused" },
    Config: { Image: container.image },
    Mounts: container.mounts.map((Source) => ({ Type: "bind", Source })),
  };
}

/** Only the two reads of the audit log are understood. */
function execScript(script) {
  const log = state.auditInNode ?? "";
  if (script.includes("stat -c '%i %s %n'")) console.log(`7 ${Buffer.byteLength(log)} audit.log`);
  else {
    const match = /^tail -c \+(\d+) '\/var\/log\/kubernetes\/audit\/audit\.log' \| head -c (\d+) \| base64$/.exec(
      script,
    );
    check(match !== null, "unexpected script");
    const from = Number(match[1]) - 1;
    console.log(
      Buffer.from(log)
        .subarray(from, from + Number(match[2]))
        .toString("base64"),
    );
  }
}
