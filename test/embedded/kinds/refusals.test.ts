import { describe, expect, it } from "vitest";
import { create, object, refusals, strategyOf, update } from "./server.ts";

describe("Refused at creation, in the server's words", () => {
  it.each([
    [
      "configmaps",
      "",
      'data: {"a b": x}',
      [
        `data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      ],
    ],
    ["secrets", "", "type: kubernetes.io/tls", ["data[tls.crt]: Required value", "data[tls.key]: Required value"]],
    [
      "nodes",
      "",
      "spec: {taints: [{key: a, effect: Sometimes}]}",
      [
        'metadata.taints[0].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      "nodes",
      "",
      "spec: {taints: [{key: a, effect: NoSchedule}, {key: a, value: b, effect: NoSchedule}]}",
      [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
    ],
    [
      "priorityclasses",
      "scheduling.k8s.io",
      "value: 2000000000",
      ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
    ],
    [
      "poddisruptionbudgets",
      "policy",
      "spec: {minAvailable: 1, maxUnavailable: 1}",
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      "horizontalpodautoscalers",
      "autoscaling",
      "spec: {minReplicas: 3, maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: web}}",
      ["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"],
    ],
    [
      "roles",
      "rbac.authorization.k8s.io",
      "rules: [{verbs: [get]}]",
      [
        "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
        "rules[0].resources: Required value: resource rules must supply at least one resource",
      ],
    ],
    [
      "clusterrolebindings",
      "rbac.authorization.k8s.io",
      "{roleRef: {kind: Role, name: r}, subjects: [{kind: ServiceAccount, name: a}]}",
      [
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        "subjects[0].namespace: Required value",
      ],
    ],
    [
      "ingresses",
      "networking.k8s.io",
      "spec: {rules: [{host: 1.2.3.4, http: {paths: [{path: web, pathType: Prefix, backend: {service: {name: web}}}]}}]}",
      [
        'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
        'spec.rules[0].http.paths[0].path: Invalid value: "web": must be an absolute path',
        "spec.rules[0].http.paths[0].backend: Required value: port name or number is required",
      ],
    ],
    [
      "networkpolicies",
      "networking.k8s.io",
      "spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: nowhere}}]}]}",
      [
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "nowhere": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      "persistentvolumeclaims",
      "",
      "spec: {accessModes: [Often]}",
      [
        'spec.accessModes: Unsupported value: "Often": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        "spec.resources[storage]: Required value",
      ],
    ],
    ["storageclasses", "storage.k8s.io", "{}", ["provisioner: Required value"]],
    [
      "limitranges",
      "",
      "spec: {limits: [{type: Container, min: {cpu: '2'}, max: {cpu: '1'}}]}",
      [
        'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
        'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
      ],
    ],
    [
      "customresourcedefinitions",
      "apiextensions.k8s.io",
      "{metadata: {name: wrong}, spec: {group: example.com, scope: Namespaced, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true}]}}",
      [
        'metadata.name: Invalid value: "wrong": must be spec.names.plural+"."+spec.group',
        "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required",
      ],
    ],
    [
      "events",
      "",
      "involvedObject: {namespace: other}",
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
  ])("%s of %j: %s", (resource, group, yaml, messages) => {
    expect(refusals(strategyOf(resource, group), yaml)).toEqual(messages);
  });
});

describe("Refused at update, in the server's words", () => {
  it.each([
    [
      "configmaps",
      "",
      "{immutable: true, data: {size: '9'}}",
      { data: { size: "10" } },
      ["data: Forbidden: field is immutable when `immutable` is set"],
    ],
    [
      "secrets",
      "",
      "{immutable: true, data: {}}",
      { immutable: undefined },
      ["immutable: Forbidden: field is immutable when `immutable` is set"],
    ],
    [
      "priorityclasses",
      "scheduling.k8s.io",
      "value: 1",
      { value: 2 },
      ["value: Forbidden: may not be changed in an update."],
    ],
    [
      "rolebindings",
      "rbac.authorization.k8s.io",
      "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}",
      { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "b" } },
      [
        'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
      ],
    ],
    [
      "nodes",
      "",
      "spec: {podCIDRs: [10.244.0.0/24]}",
      { spec: { podCIDRs: ["10.244.1.0/24"] } },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
  ])("%s of %j: %s", (resource, group, yaml, change, messages) => {
    const strategy = strategyOf(resource, group);
    const { refusals: found } = update(strategy, create(strategy, yaml), (made) => Object.assign(made, change));
    expect(found).toEqual(messages);
  });
});

describe("What the server decides", () => {
  it("encodes a Secret's stringData", () => {
    const made = create(strategyOf("secrets"), "stringData: {key: s3cret}");
    expect(made["data"]).toEqual({ key: "czNjcmV0" });
    expect(made["stringData"]).toBeUndefined();
    expect(made["type"]).toBe("Opaque");
  });

  it("labels a Namespace with its name and keeps it until it is empty", () => {
    const made = create(strategyOf("namespaces"), "metadata: {name: lab}");
    expect(made.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "lab" });
    expect(made["spec"]).toEqual({ finalizers: ["kubernetes"] });
    expect(made["status"]).toEqual({ phase: "Active" });
  });

  it("warns of the old annotation of an Ingress", () => {
    const ingresses = strategyOf("ingresses", "networking.k8s.io");
    const made = create(ingresses, "metadata: {name: i, annotations: {kubernetes.io/ingress.class: nginx}}");
    expect(ingresses.warnings?.(made, undefined)).toEqual([
      "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead",
    ]);
  });
});

describe("Warned of, in the server's words", () => {
  it.each([
    [
      "pods",
      "",
      "metadata: {name: a.b}",
      [
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
    [
      "deployments",
      "apps",
      "metadata: {name: a.b}",
      [
        "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
    [
      "pods",
      "",
      "spec: {containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: TCP}]}]}",
      ["spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"],
    ],
    [
      "pods",
      "",
      "spec: {nodeSelector: {beta.kubernetes.io/os: linux}}",
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      "services",
      "",
      "spec: {type: ClusterIP, sessionAffinity: None, externalName: a.b}",
      ['spec.externalName is ignored when spec.type is not "ExternalName"'],
    ],
  ])("%s of %j: %s", (resource, group, yaml, messages) => {
    expect(strategyOf(resource, group).warnings?.(object(yaml), undefined)).toEqual(messages);
  });
});
