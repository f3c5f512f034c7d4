import { type Message, type MessageKey, message } from "../../messages/catalogue.ts";

/** kind's own words for what it does, in the order it does it, and how far that is (by usual duration). */
const phases: { pattern: RegExp; key: MessageKey; fraction: number }[] = [
  { pattern: /Ensuring node image/, key: "clusters.kind.phase.image", fraction: 0.05 },
  { pattern: /Preparing nodes/, key: "clusters.kind.phase.nodes", fraction: 0.1 },
  { pattern: /Configuring the external load balancer/, key: "clusters.kind.phase.balancer", fraction: 0.2 },
  { pattern: /Writing configuration/, key: "clusters.kind.phase.configuration", fraction: 0.25 },
  { pattern: /Starting control-plane/, key: "clusters.kind.phase.control-plane", fraction: 0.3 },
  { pattern: /Installing CNI/, key: "clusters.kind.phase.network", fraction: 0.6 },
  { pattern: /Installing StorageClass/, key: "clusters.kind.phase.storage", fraction: 0.65 },
  { pattern: /Joining more control-plane nodes/, key: "clusters.kind.phase.control-planes", fraction: 0.7 },
  { pattern: /Joining worker nodes/, key: "clusters.kind.phase.workers", fraction: 0.75 },
];

/** The phase a line of kind's output begins; undefined for every other line (a finished phase, details, advice). */
export function phaseOf(line: string): { text: Message; fraction: number } | undefined {
  if (!/^\s*•/.test(line)) return undefined;
  const phase = phases.find(({ pattern }) => pattern.test(line));
  return phase === undefined ? undefined : { text: message(phase.key), fraction: phase.fraction };
}
