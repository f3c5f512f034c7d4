import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { create, object, refusals, row, strategyOf, update } from "./server.ts";

const template = `
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: nginx, image: "nginx:1.27"}]
`;
const selected = `
  selector: {matchLabels: {app: web}}${template}`;

const deployments = strategyOf("deployments", "apps");
const statefulSets = strategyOf("statefulsets", "apps");
const jobs = strategyOf("jobs", "batch");
const cronJobs = strategyOf("cronjobs", "batch");
const spec = (made: KubeObject) => made["spec"] as Record<string, unknown>;

describe("A Deployment", () => {
  const yaml = `{}\nspec:${selected}`.replace("{}\n", "");

  it("gets its defaults", () => {
    expect(create(deployments, yaml)["spec"]).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    });
  });

  it("without a selector is refused twice", () => {
    expect(refusals(deployments, `spec:${template}`)).toEqual([
      "spec.selector: Required value",
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ]);
  });

  it("keeps its selector: that is said last", () => {
    const { refusals: found } = update(deployments, create(deployments, yaml), (d) =>
      Object.assign(spec(d), { selector: { matchLabels: { app: "x" } } }),
    );
    expect(found).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    ]);
  });

  it("is a row of the Table", () => {
    const made = create(deployments, yaml);
    made["status"] = { readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    made.metadata.creationTimestamp = "2026-01-01T11:00:00Z";
    expect(row(deployments, made)).toEqual(["x", "1/1", 1, 1, "60m", "nginx", "nginx:1.27", "app=web"]);
  });

  it.each([
    [
      "{type: Recreate, rollingUpdate: {maxSurge: 1}}",
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      "{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}",
      "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
    ],
    [
      "{type: Blue}",
      'spec.strategy: Unsupported value: {"Type":"Blue","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
  ])("with strategy %s is refused", (strategy, message) => {
    expect(refusals(deployments, `spec:\n  strategy: ${strategy}${selected}`)).toEqual([message]);
  });
});

describe("A StatefulSet", () => {
  const yaml = `spec:\n  serviceName: web${selected}`;

  it("may mount what its claim templates provide", () => {
    const claims =
      "\n  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]";
    const mounting = yaml.replace('"nginx:1.27"', '"nginx:1.27", volumeMounts: [{name: data, mountPath: /data}]');
    expect(refusals(statefulSets, mounting)).toHaveLength(1);
    expect(refusals(statefulSets, `${mounting}${claims}`)).toEqual([]);
  });

  it("keeps all but a few fields of its spec", () => {
    const old = create(statefulSets, yaml);
    const { refusals: found } = update(statefulSets, old, (s) => Object.assign(spec(s), { serviceName: "other" }));
    expect(found).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
    expect(update(statefulSets, old, (s) => Object.assign(spec(s), { replicas: 3 })).refusals).toEqual([]);
  });
});

describe("A Job", () => {
  const yaml = `metadata: {name: pi, uid: u-1}\nspec:${template.replace("spec:\n", "spec:\n      restartPolicy: Never\n")}`;

  it("selects its Pods by its own uid", () => {
    const made = create(jobs, yaml);
    expect(made["spec"]).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      podReplacementPolicy: "TerminatingOrFailed",
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u-1" } },
      template: {
        metadata: {
          labels: {
            app: "web",
            "batch.kubernetes.io/controller-uid": "u-1",
            "batch.kubernetes.io/job-name": "pi",
            "controller-uid": "u-1",
            "job-name": "pi",
          },
        },
      },
    });
    expect(refusals(jobs, yaml)).toEqual([]);
  });

  it("needs a restart policy that lets it end", () => {
    expect(refusals(jobs, yaml.replace("restartPolicy: Never", "restartPolicy: Always"))).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it("keeps its template", () => {
    const { refusals: found } = update(jobs, create(jobs, yaml), (job) => {
      const podSpec = (spec(job)["template"] as { spec: { containers: { image: string }[] } }).spec;
      for (const container of podSpec.containers) container.image = "nginx:1.28";
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^spec\.template: Invalid value: \{"labels":\{.*"Spec":\{"Volumes":null.*: field is immutable$/,
    );
  });

  it("shows its progress", () => {
    const made = object(`
metadata: {name: pi, creationTimestamp: "2026-01-01T11:59:00Z"}
spec: {completions: 3}
status: {succeeded: 3, startTime: "2026-01-01T11:59:00Z", completionTime: "2026-01-01T11:59:42Z", conditions: [{type: Complete, status: "True"}]}
`);
    expect(row(jobs, made).slice(0, 5)).toEqual(["pi", "Complete", "3/3", "42s", "60s"]);
  });
});

describe("A CronJob", () => {
  const yaml = (schedule: string) => `
metadata: {name: tick}
spec:
  schedule: "${schedule}"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: OnFailure, containers: [{name: a, image: "a:1"}]}
`;
  it.each([
    ["*/5 * * * *", []],
    ["@hourly", []],
    ["0 0 1 jan,feb mon-fri", []],
    ["* * * *", ['Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]']],
    ["61 * * * *", ['Invalid value: "61 * * * *": end of range (61) above maximum (59): 61']],
    [
      "a * * * *",
      ['Invalid value: "a * * * *": failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ],
    ["@never", ['Invalid value: "@never": unrecognized descriptor: @never']],
  ])("with schedule %s", (schedule, messages) => {
    expect(refusals(cronJobs, yaml(schedule))).toEqual(messages.map((m) => `spec.schedule: ${m}`));
  });

  it("is a row of the Table", () => {
    expect(row(cronJobs, create(cronJobs, yaml("@hourly"))).slice(0, 6)).toEqual([
      "tick",
      "@hourly",
      "<none>",
      "False",
      0,
      "<none>",
    ]);
  });
});
