import { DaemonSetController } from "./daemonset/daemonset-controller.ts";
import type { Controller } from "./framework/controller.ts";
import { type ContextFactory, controllerIdentity } from "./framework/identity.ts";

/** The controllers that make Pods, each with an identity of its own. */
export function workloadControllers(contextFor: ContextFactory): Controller[] {
  return [new DaemonSetController(contextFor(controllerIdentity("daemon-set-controller")))];
}
