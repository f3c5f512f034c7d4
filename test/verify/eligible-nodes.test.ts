import { describe, expect, it } from "vitest";
import { isEligible } from "../../src/verify/reader/eligible-nodes.ts";

const node = (labels: Record<string, string> = {}, taints: { key: string; value?: string; effect: string }[] = []) => ({
  metadata: { name: "worker", labels },
  spec: { taints },
});
const spec = (fields: Record<string, unknown> = {}) => ({ containers: [], ...fields });
const required = (term: object) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
});
const expression = (operator: string, values?: string[]) => ({ matchExpressions: [{ key: "disk", operator, values }] });

describe("a node is eligible for a daemon", () => {
  it.each([
    ["with no demands", spec(), node(), true],
    ["when every selector label is there", spec({ nodeSelector: { a: "1", b: "2" } }), node({ a: "1", b: "2" }), true],
    [
      "not when one selector label differs",
      spec({ nodeSelector: { a: "1", b: "2" } }),
      node({ a: "1", b: "3" }),
      false,
    ],
    ["not when nodeName says another", spec({ nodeName: "other" }), node(), false],
    ["when affinity In holds", spec(required(expression("In", ["ssd"]))), node({ disk: "ssd" }), true],
    ["not when affinity In fails", spec(required(expression("In", ["ssd"]))), node(), false],
    ["when affinity NotIn meets a missing label", spec(required(expression("NotIn", ["ssd"]))), node(), true],
    ["when affinity Gt holds", spec(required(expression("Gt", ["3"]))), node({ disk: "4" }), true],
    ["not when Gt meets no number", spec(required(expression("Gt", ["3"]))), node({ disk: "ssd" }), false],
    ["not by an empty term", spec(required({})), node(), false],
    [
      "by a field term",
      spec(required({ matchFields: [{ key: "metadata.name", operator: "In", values: ["worker"] }] })),
      node(),
      true,
    ],
    ["not with a taint it does not tolerate", spec(), node({}, [{ key: "k", effect: "NoSchedule" }]), false],
    ["with a taint that only prefers", spec(), node({}, [{ key: "k", effect: "PreferNoSchedule" }]), true],
    [
      "with the taint of a cordon",
      spec(),
      node({}, [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]),
      true,
    ],
    [
      "with the taint of an unreachable node",
      spec(),
      node({}, [{ key: "node.kubernetes.io/unreachable", effect: "NoExecute" }]),
      true,
    ],
    [
      "with network-unavailable only on the host's network",
      spec({ hostNetwork: true }),
      node({}, [{ key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" }]),
      true,
    ],
    [
      "not with network-unavailable otherwise",
      spec(),
      node({}, [{ key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" }]),
      false,
    ],
    [
      "with a toleration of everything",
      spec({ tolerations: [{ operator: "Exists" }] }),
      node({}, [{ key: "k", value: "v", effect: "NoExecute" }]),
      true,
    ],
    [
      "not when Equal's value differs",
      spec({ tolerations: [{ key: "k", value: "x", effect: "NoSchedule" }] }),
      node({}, [{ key: "k", value: "v", effect: "NoSchedule" }]),
      false,
    ],
  ])("%s", (_name, template, candidate, expected) =>
    expect(isEligible(template as never, candidate as never)).toBe(expected),
  );
});
