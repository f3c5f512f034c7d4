import { describe, expect, it } from "vitest";
import { explainRefusal } from "../../../src/clusters/context/refusals.ts";
import { loadTranslator } from "../../../src/messages/translator.ts";

/** What API servers answer (the message of a Status, or of a FailedCreate event). */
const messages: Record<string, string> = {
  "pod-security":
    'pods "agent-x2k9f" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  quota: 'pods "web-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=10, limited: pods=10',
  "quota-needs": 'pods "web-1" is forbidden: failed quota: team: must specify limits.cpu for: c; limits.memory for: c',
  limits: 'pods "web-1" is forbidden: maximum cpu usage per Container is 500m, but limit is 2',
  webhook:
    'admission webhook "validate.kyverno.svc-fail" denied the request: resource DaemonSet/lab/agent was blocked: disallow-latest',
  policy:
    "daemonsets.apps \"agent\" is forbidden: ValidatingAdmissionPolicy 'no-host' with binding 'no-host' denied request: hostNetwork is not allowed",
  rbac: 'daemonsets.apps "agent" is forbidden: User "ann" cannot patch resource "daemonsets" in API group "apps" in the namespace "lab"',
};

describe("a refusal of a cluster that someone else owns", () => {
  it.each(Object.entries(messages))("by %s is explained, with what can be done", async (cause, text) => {
    const say = await loadTranslator("en");
    const explained = explainRefusal(text);
    expect(explained?.reason.key).toBe(`clusters.refused.${cause}`);
    expect(say(explained!.reason)).not.toMatch(/[{}]/);
    expect(say(explained!.remedy)).not.toBe("");
  });

  it("that is none is left as it is", () => {
    expect(explainRefusal('DaemonSet.apps "agent" is invalid: spec.selector: Required value')).toBeUndefined();
  });
});
