import type { V1PodSpec } from "@kubernetes/client-node";
import type { ObjectMeta, Wire } from "../../api/object.ts";
import type { Container } from "../../api/pod.ts";

export type PodSpec = Wire<V1PodSpec>;

/** What a check looks at. `minor` is the version of the standard: 36 for v1.36. */
export interface Subject {
  metadata: ObjectMeta;
  spec: PodSpec;
  /** Init containers first, ephemeral ones last. */
  containers: Container[];
  minor: number;
}

/** Why a Pod is against a standard; undefined: it is not. */
export type Violation = { reason: string; detail: string } | undefined;

/** One rule of a standard. */
export interface Check {
  /** The first minor version of the standard that has the rule. */
  since: number;
  /** Baseline rules that this restricted one takes the place of, from `since` on. */
  instead?: string[];
  find(subject: Subject): Violation;
}

export function subjectOf(metadata: ObjectMeta | undefined, spec: PodSpec, minor: number): Subject {
  const ephemeral = (spec.ephemeralContainers ?? []) as Container[];
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...ephemeral];
  return { metadata: metadata ?? {}, spec, containers, minor };
}

/** `"a", "b"` */
export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(", ");
}

/** Each once, in order. */
export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** `containers "a", "b"` */
export function named(containers: readonly Container[]): string {
  return `${plural("container", containers.length)} ${quoted(containers.map((c) => c.name))}`;
}

/** `pod and container "a"`: who has set something; empty when nobody has. */
export function setters(pod: boolean, containers: readonly Container[]): string {
  return [...(pod ? ["pod"] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(" and ");
}

/** A Pod of a user namespace of its own may do more, since v1.35 of the standards. */
export function hasUserNamespace({ spec, minor }: Subject): boolean {
  return minor >= 35 && spec.hostUsers === false;
}

/** What has no meaning on Windows is not asked of it, since v1.25. */
export function isForWindows({ spec, minor }: Subject): boolean {
  return minor >= 25 && spec.os?.name === "windows";
}
