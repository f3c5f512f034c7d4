import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/clusters/trace.ts";
import { defineStep, fail, pass, pending, unknown } from "../../src/verify/author.ts";
import type { Check } from "../../src/verify/define-step.ts";
import { runStep, type StepRun } from "../../src/verify/run-step.ts";
import { FakeApi } from "./fake-api.ts";

const daemonSets = "/apis/apps/v1/namespaces/lab/daemonsets";
let api: FakeApi;

beforeEach(async () => {
  api = await new FakeApi().start();
});
afterEach(() => api.stop());

function run(checks: Check[], options: Partial<StepRun> = {}) {
  return runStep({
    verifier: defineStep({ checks }),
    client: api.client,
    namespace: "lab",
    trace: undefined,
    since: 0,
    timeout: 5000,
    signal: new AbortController().signal,
    ...options,
  });
}

function agent(generation: number, observedGeneration: number, desired = 2) {
  return {
    kind: "DaemonSet",
    metadata: { name: "node-agent", generation },
    spec: { template: { spec: {} } },
    status: { observedGeneration, desiredNumberScheduled: desired },
  };
}

describe("a step's checks", () => {
  it("pass with their points", async () => {
    const report = await run([{ id: "one", points: 3, run: () => pass({ n: 1 }) }]);
    expect(report).toMatchObject({
      outcome: "passed",
      checks: [{ outcome: "passed", points: { earned: 3, possible: 3 } }],
    });
  });

  it("run in order, and one that needs a failed one is blocked, not failed", async () => {
    const order: string[] = [];
    const check = (id: string, verdict: Check["run"], needs: string[] = []): Check => ({
      id,
      needs,
      run: (context) => {
        order.push(id);
        return verdict(context);
      },
    });
    const report = await run([
      check("first", () => fail("wrong")),
      check("second", () => pass(), ["first"]),
      check("third", () => pass()),
    ]);
    expect(order).toEqual(["first", "third"]);
    expect(report.outcome).toBe("failed");
    expect(report.checks.map((c) => c.outcome)).toEqual(["failed", "blocked", "passed"]);
    expect(report.checks[1]).toMatchObject({ blockedBy: "first", points: { earned: 0, possible: 1 } });
  });

  it("report a fail at once, whatever the time-out", async () => {
    api.put(daemonSets, agent(1, 1, 3));
    const began = performance.now();
    const check: Check = {
      id: "desired",
      async run({ cluster }) {
        const { desiredNumberScheduled } = (await cluster.daemonSet("node-agent")).status;
        return fail("differs", { desiredNumberScheduled });
      },
    };
    const report = await run([check], { timeout: 60_000 });
    expect(report.checks[0]).toMatchObject({ outcome: "failed", verdict: { code: "differs" } });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it("wait while pending, until the object changes", async () => {
    api.put(daemonSets, agent(2, 1));
    let asked = 0;
    const check: Check = {
      id: "observed",
      async run({ cluster }) {
        asked += 1;
        const ds = await cluster.daemonSet("node-agent");
        return ds.isObserved ? pass() : pending("controller");
      },
    };
    const report = await run([check], {
      onProgress: (_check, verdict) => {
        if (verdict?.verdict === "pending") setImmediate(() => api.put(daemonSets, agent(2, 2)));
      },
    });
    expect(report.outcome).toBe("passed");
    expect(asked).toBeLessThan(6);
  });

  it("fail with the last state seen when the time is over", async () => {
    api.put(daemonSets, agent(2, 1));
    const check: Check = {
      id: "observed",
      async run({ cluster }) {
        await cluster.daemonSet("node-agent");
        return pending("controller", { seen: 1 });
      },
    };
    const report = await run([check], { timeout: 150 });
    expect(report.checks[0]).toMatchObject({ outcome: "failed", verdict: { verdict: "pending", values: { seen: 1 } } });
  });

  it("look at the earlier ones again when a later one had to wait", async () => {
    api.put(daemonSets, agent(2, 1));
    const early: Check = {
      id: "early",
      async run({ cluster }) {
        const ds = await cluster.daemonSet("node-agent");
        return ds.status.desiredNumberScheduled === 2 ? pass() : fail("moved");
      },
    };
    const late: Check = {
      id: "late",
      async run({ cluster }) {
        return (await cluster.daemonSet("node-agent")).isObserved ? pass() : pending("controller");
      },
    };
    const report = await run([early, late], {
      onProgress: (_check, verdict) => {
        if (verdict?.verdict === "pending") setImmediate(() => api.put(daemonSets, agent(2, 2, 5)));
      },
    });
    expect(report.checks.map((c) => c.outcome)).toEqual(["failed", "passed"]);
  });

  it("report a missing object as a failure of its own, with its events' object", async () => {
    const check: Check = {
      id: "exists",
      async run({ cluster }) {
        await cluster.daemonSet("node-agent");
        return pass();
      },
    };
    const report = await run([check]);
    expect(report.checks[0]).toMatchObject({
      outcome: "failed",
      verdict: { code: "missing", values: { kind: "DaemonSet", name: "node-agent", namespace: "lab" } },
    });
  });

  it("report a check that breaks as an error of ours, with no points lost to the learner's name", async () => {
    const report = await run([
      {
        id: "broken",
        run: () => {
          throw new Error("no such property");
        },
      },
    ]);
    expect(report).toMatchObject({ outcome: "error", checks: [{ outcome: "error", error: "no such property" }] });
  });

  it("ask the question where there is no evidence, and take only the right answer", async () => {
    const check: Check = {
      id: "tried",
      question: { choices: ["scaled", "ignored"], answer: "ignored" },
      async run({ trace }) {
        await trace.requests();
        return pass();
      },
    };
    const outcome = async (answer: string | undefined) =>
      (await run([check], { answer: async () => answer })).checks[0]!.outcome;
    expect(await outcome("ignored")).toBe("passed");
    expect(await outcome("scaled")).toBe("failed");
    expect(await outcome(undefined)).toBe("failed");
  });

  it("call an unknown without a question our error, never a pass", async () => {
    const report = await run([{ id: "tried", run: () => unknown() }]);
    expect(report.outcome).toBe("error");
  });

  it("survive answers that mean not now", async () => {
    api.put(daemonSets, agent(1, 1));
    api.failures.push(503, 429, 500);
    const report = await run([
      { id: "exists", run: async ({ cluster }) => ((await cluster.daemonSet("node-agent")) ? pass() : fail("x")) },
    ]);
    expect(report.outcome).toBe("passed");
  });

  it("are given up as lost, not failed, when the cluster stays away", async () => {
    const client = api.client;
    await api.stop();
    const lost = run(
      [{ id: "exists", run: async ({ cluster }) => ((await cluster.daemonSet("a")) ? pass() : fail("x")) }],
      { client },
    );
    await expect(lost).rejects.toMatchObject({ kind: "environment", text: { key: "client.lost" } });
    api = await new FakeApi().start();
  });

  it("stop when interrupted while waiting", async () => {
    api.put(daemonSets, agent(2, 1));
    const interrupt = new AbortController();
    const waiting = run(
      [
        {
          id: "never",
          run: async ({ cluster }) => ((await cluster.daemonSet("node-agent")) ? pending("controller") : pass()),
        },
      ],
      { signal: interrupt.signal, onProgress: (_c, verdict) => verdict && interrupt.abort() },
    );
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("the learner's trace", () => {
  const event = (fields: Partial<AuditEvent>): AuditEvent => ({
    auditID: "1",
    stage: "ResponseComplete",
    requestReceivedTimestamp: new Date(1000).toISOString(),
    verb: "patch",
    requestURI: "/",
    userAgent: "kubectl/v1.36.2 (linux/amd64)",
    user: { username: "kubernetes-admin" },
    objectRef: { resource: "daemonsets", namespace: "lab", name: "node-agent" },
    responseStatus: { code: 200 },
    ...fields,
  });
  const seen = async (events: AuditEvent[], since = 0) => {
    const found: string[] = [];
    const check: Check = {
      id: "tried",
      async run({ trace }) {
        found.push(...(await trace.requests({ resource: "daemonsets", name: "node-agent" })).map((r) => r.verb));
        return pass();
      },
    };
    await run([check], { since, trace: { read: async () => events } });
    return found;
  };

  it("leaves out controllers, the runner, other stages, other namespaces and what came before the step", async () => {
    expect(
      await seen(
        [
          event({ verb: "get" }),
          event({ verb: "patch", userAgent: "k8s-practice/0.1.0" }),
          event({ verb: "update", userAgent: "kube-controller-manager/v1.36.2" }),
          event({ verb: "delete", user: { username: "system:serviceaccount:kube-system:daemon-set-controller" } }),
          event({ verb: "watch", stage: "RequestReceived" }),
          event({ verb: "list", objectRef: { resource: "daemonsets", namespace: "other", name: "node-agent" } }),
          event({ verb: "create", requestReceivedTimestamp: new Date(10).toISOString() }),
        ],
        500,
      ),
    ).toEqual(["get"]);
  });

  it("knows the name of a created object from its body", async () => {
    const objectRef = { resource: "daemonsets", namespace: "lab" };
    const requestObject = { metadata: { name: "node-agent" } };
    expect(await seen([event({ verb: "create", objectRef, requestObject })])).toEqual(["create"]);
  });
});
