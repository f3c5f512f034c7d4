import type { Cancel } from "../api/clock.ts";
import type { Container, Pod } from "../api/pod.ts";
import type { Api, RequestContext } from "../registry/api.ts";
import type { Store } from "../store/store.ts";
import type { Timing } from "./container/container-life.ts";

/** What a Pod's worker needs of the node it is on. */
export interface KubeletNode {
  readonly name: string;
  /** The node's InternalIP. */
  readonly address: string;
  readonly timing: Timing;
  readonly store: Store;
  readonly api: Api;
  readonly as: RequestContext;
  now(): number;
  /** Runs `task` in `ms` milliseconds, unless the machine is stopped by then. */
  schedule(ms: number, task: () => void): Cancel;
  nextPodIp(): string;
  /** True the first time an image is asked for on this node. */
  needsPull(image: string): boolean;
  /** Why the kubelet does not take a Pod that was bound to its node; undefined when it does. */
  admit(pod: Pod): { reason: string; message: string } | undefined;
  event(about: Pod, type: "Normal" | "Warning", reason: string, message: string, container?: Container): void;
}
