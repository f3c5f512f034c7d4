import { type Message, message } from "../../messages/catalogue.ts";

/**
 * Explains why a foreign cluster refused an object, from the API server's message (also the message of a FailedCreate
 * event): Pod Security, a quota, a limit range, an admission webhook or policy, missing permissions. Undefined for
 * every other message.
 */
export function explainRefusal(text: string): { reason: Message; remedy: Message } | undefined {
  for (const { pattern, key } of refusals) {
    const values = pattern.exec(text)?.groups;
    if (values !== undefined) return { reason: message(key, values), remedy: message(`${key}.hint`, values) };
  }
  return undefined;
}

const refusals = [
  {
    key: "clusters.refused.pod-security",
    pattern: /violates PodSecurity "(?<level>[a-z]+):[^"]*": (?<why>.+)/,
  },
  {
    key: "clusters.refused.quota",
    pattern: /exceeded quota: (?<name>[^,]+), requested: (?<requested>.+), used: (?<used>.+), limited: (?<limited>.+)/,
  },
  {
    key: "clusters.refused.quota-needs",
    pattern: /failed quota: (?<name>[^:]+): must specify (?<why>.+)/,
  },
  {
    key: "clusters.refused.limits",
    pattern: /is forbidden: \[?(?<why>(?:maximum|minimum) [a-z-]+ usage per (?:Container|Pod) is .+)/,
  },
  {
    key: "clusters.refused.webhook",
    pattern: /admission webhook "(?<name>[^"]+)" denied the request: ?(?<why>.*)/,
  },
  {
    key: "clusters.refused.policy",
    pattern: /ValidatingAdmissionPolicy '(?<name>[^']+)'.* denied request: (?<why>.*)/,
  },
  {
    key: "clusters.refused.rbac",
    pattern: /User "(?<user>[^"]+)" cannot (?<verb>[a-z]+) resource "(?<resource>[^"]+)"/,
  },
] as const;
