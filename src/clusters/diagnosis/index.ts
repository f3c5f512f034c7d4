import { message } from "../../messages/catalogue.ts";
import { PracticeError } from "../../messages/practice-error.ts";
import { embeddedProvider } from "../embedded/provider.ts";
import { clusterPaths } from "../home.ts";
import { detectEngine } from "../kind/engine.ts";
import { nodeImageFor, oldestKind } from "../kind/node-images.ts";
import { engineError, kindProvider, kindVersion } from "../kind/provider.ts";
import { readKubeconfig } from "../kubeconfig/edit.ts";
import { kubeconfigFiles } from "../kubeconfig/locate.ts";
import type { ClusterProvider } from "../provider.ts";
import type { Finding } from "./finding.ts";
import { checkKubectl } from "./kubectl.ts";
import { checkCgroup, checkDisk, checkHome, checkInotify, checkMemory, checkNode, checkProxy } from "./machine.ts";

export type { Finding } from "./finding.ts";

export interface Diagnosis {
  findings: Finding[];
  /** Which kinds of cluster can be used here. */
  usable: { embedded: boolean; kind: boolean };
}

/** Looks at this machine; starts nothing and changes nothing but the home folder, which is made. */
export async function diagnose(home: string, env: NodeJS.ProcessEnv): Promise<Diagnosis> {
  const [look, server] = await Promise.all([detectEngine(env), runningVersion(home, env)]);
  const engine = look.engine;
  const findings = await Promise.all<Finding | undefined>([
    checkNode(),
    checkKubectl(env, server),
    checkKubeconfig(env),
    checkHome(home),
    checkEmbedded(home),
    Promise.resolve(engineFinding(look, clusterPaths(home).kind.log)),
    checkKind(env),
    checkMemory(engine),
    checkDisk(home, engine),
    checkInotify(),
    checkCgroup(engine),
    checkProxy(env, engine),
  ]);
  const found = findings.filter((finding) => finding !== undefined);
  const usable = (kind: "embedded" | "kind") =>
    found.every(({ state, neededFor }) => state !== "missing" || (neededFor !== "everything" && neededFor !== kind));
  return { findings: found, usable: { embedded: usable("embedded"), kind: usable("kind") } };
}

async function runningVersion(home: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const providers: ClusterProvider[] = [embeddedProvider({ home }), kindProvider({ home, env })];
  const clusters = await Promise.all(providers.map((provider) => provider.find()));
  return clusters.find((cluster) => cluster !== undefined)?.version;
}

async function checkKubeconfig(env: NodeJS.ProcessEnv): Promise<Finding> {
  const base = { id: "kubeconfig" as const, neededFor: "everything" as const };
  const files = kubeconfigFiles(env);
  try {
    await Promise.all(files.map(readKubeconfig));
  } catch (error) {
    if (!(error instanceof PracticeError)) throw error;
    return { ...base, state: "warning", detail: error.text, ...(error.hint === undefined ? {} : { fix: error.hint }) };
  }
  return { ...base, state: "ok", detail: message("clusters.doctor.kubeconfig.ok", { files: files.join(", ") }) };
}

async function checkEmbedded(home: string): Promise<Finding> {
  const availability = await embeddedProvider({ home }).detect();
  if (availability.usable) {
    return { id: "embedded", state: "ok", detail: message("clusters.doctor.embedded.ok"), neededFor: "embedded" };
  }
  const fix = message("clusters.embedded.unbuilt.hint");
  return { id: "embedded", state: "missing", detail: availability.reason, fix, neededFor: "embedded" };
}

function engineFinding(look: Awaited<ReturnType<typeof detectEngine>>, log: string): Finding {
  if (look.engine === undefined) {
    const { text, hint } = engineError(look, log);
    return {
      id: "engine",
      state: "missing",
      detail: text,
      neededFor: "kind",
      ...(hint === undefined ? {} : { fix: hint }),
    };
  }
  const { name, version, flavour, rootless, architecture } = look.engine;
  const values = { name: flavour ?? name, version, architecture, rootless };
  return { id: "engine", state: "ok", detail: message("clusters.doctor.engine.ok", values), neededFor: "kind" };
}

async function checkKind(env: NodeJS.ProcessEnv): Promise<Finding> {
  const platform = process.platform;
  const version = await kindVersion(env);
  if (version === undefined) {
    const [detail, fix] = [message("clusters.kind.missing"), message("clusters.kind.missing.hint", { platform })];
    return { id: "kind", state: "missing", detail, fix, neededFor: "kind" };
  }
  const values = { version: version.join("."), oldest: oldestKind, platform };
  const image = nodeImageFor(version, env["K8S_PRACTICE_NODE_IMAGE"]);
  if (image === undefined) {
    const [detail, fix] = [message("clusters.kind.too-old", values), message("clusters.kind.too-old.hint", values)];
    return { id: "kind", state: "missing", detail, fix, neededFor: "kind" };
  }
  const detail = message("clusters.doctor.kind.ok", { ...values, image: image.split("@")[0] });
  return { id: "kind", state: "ok", detail, neededFor: "kind" };
}
