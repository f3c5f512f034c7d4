import { describe, expect, it } from "vitest";
import { configMaps, pods } from "../../../src/embedded/controllers/framework/resources.ts";
import { asNobody, type ControlPlane, controlPlane, worker } from "../fixture/control-plane.ts";

function oneNode(): ControlPlane {
  const lab = controlPlane();
  lab.machines.addMachine(worker("lab-worker"));
  lab.clock.advance(100);
  return lab;
}
const runs = (command: string[], more = {}) => ({
  containers: [{ name: "agent", image: "busybox:1.36", command, ...more }],
});
const statusOf = (lab: ControlPlane, name: string, container = 0) =>
  lab.pod(name)?.status?.containerStatuses?.[container];

describe("A Pod comes to life in order", () => {
  it("from ContainerCreating to Running and Ready, with its events", () => {
    const lab = oneNode();
    const phases: string[] = [];
    lab.store.watch(pods, (e) => {
      const status = (e.object as unknown as NonNullable<ReturnType<ControlPlane["pod"]>>).status;
      const state = status?.containerStatuses?.[0]?.state;
      phases.push(`${status?.phase} ${state?.waiting?.reason ?? (state?.running ? "running" : "-")}`);
    });
    lab.createPod("probe");
    lab.clock.advance(200);
    expect([...new Set(phases)]).toEqual(["Pending -", "Pending ContainerCreating", "Running running"]);
    const { status } = lab.pod("probe")!;
    expect(status?.podIP).toMatch(/^10\.244\.0\.\d+$/);
    expect(status?.hostIP).toBe("172.18.0.2");
    expect(status?.conditions?.map((c) => `${c.type}=${c.status}`).sort()).toEqual(
      [
        "ContainersReady=True",
        "Initialized=True",
        "PodReadyToStartContainers=True",
        "PodScheduled=True",
        "Ready=True",
      ].sort(),
    );
    expect(statusOf(lab, "probe")).toMatchObject({ ready: true, started: true, restartCount: 0 });
    expect(lab.eventsOf("probe").map((e) => e.split(" ").slice(0, 2).join(" "))).toEqual([
      "Normal Scheduled",
      "Normal Pulling",
      "Normal Pulled",
      "Normal Created",
      "Normal Started",
    ]);
    expect(lab.problems).toEqual([]);
  });

  it("init containers one after the other, a sidecar beside the rest", () => {
    const lab = oneNode();
    const init = (name: string, script: string, more = {}) => ({
      name,
      image: "busybox:1.36",
      command: ["sh", "-c", script],
      ...more,
    });
    lab.createPod("web", {
      initContainers: [
        init("first", "sleep 2"),
        init("proxy", "sleep infinity", { restartPolicy: "Always" }),
        init("last", "sleep 3"),
      ],
    });
    lab.clock.advance(1000);
    expect(lab.pod("web")?.status?.phase).toBe("Pending");
    expect(lab.pod("web")?.status?.initContainerStatuses?.map((s) => Object.keys(s.state ?? {})[0])).toEqual([
      "running",
      "waiting",
      "waiting",
    ]);
    lab.clock.advance(2000);
    expect(lab.pod("web")?.status?.initContainerStatuses?.map((s) => Object.keys(s.state ?? {})[0])).toEqual([
      "terminated",
      "running",
      "running",
    ]);
    lab.clock.advance(4000);
    expect(lab.pod("web")?.status?.phase).toBe("Running");
    expect(lab.pod("web")?.status?.conditions?.find((c) => c.type === "Ready")?.status).toBe("True");
  });

  it("waits for a ConfigMap it mounts, and starts when that is there", () => {
    const lab = oneNode();
    lab.createPod("web", {
      volumes: [{ name: "conf", configMap: { name: "settings" } }],
      ...runs(["sleep", "infinity"]),
    });
    lab.clock.advance(100);
    expect(statusOf(lab, "web")?.state?.waiting?.reason).toBe("ContainerCreating");
    expect(lab.eventsOf("web")).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "conf" : configmap "settings" not found',
    );
    lab.create(configMaps, { kind: "ConfigMap", metadata: { name: "settings", namespace: "lab" }, data: { a: "b" } });
    lab.clock.advance(100);
    expect(lab.pod("web")?.status?.phase).toBe("Running");
  });

  it("says which key its environment lacks", () => {
    const lab = oneNode();
    lab.create(configMaps, { kind: "ConfigMap", metadata: { name: "settings", namespace: "lab" }, data: {} });
    const env = [{ name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } }];
    lab.createPod("web", runs(["sleep", "infinity"], { env }));
    lab.clock.advance(100);
    expect(statusOf(lab, "web")?.state?.waiting).toEqual({
      reason: "CreateContainerConfigError",
      message: "couldn't find key level in ConfigMap lab/settings",
    });
  });
});

describe("A container ends as its command says", () => {
  it.each([
    ["Never", ["true"], "Succeeded", 0],
    ["Never", ["sh", "-c", "echo hello; exit 3"], "Failed", 3],
    ["Never", ["false"], "Failed", 1],
    ["OnFailure", ["sh", "-c", "sleep 1 && echo done"], "Succeeded", 0],
  ])("restartPolicy %s, %j: %s with exit code %i", (restartPolicy, command, phase, code) => {
    const lab = oneNode();
    lab.createPod("job", { restartPolicy, ...runs(command) });
    lab.clock.advance(3000);
    expect(lab.pod("job")?.status?.phase).toBe(phase);
    expect(statusOf(lab, "job")?.state?.terminated?.exitCode).toBe(code);
    expect(lab.problems).toEqual([]);
  });

  it("and comes back with growing backoff where it is to be restarted", () => {
    const lab = oneNode();
    lab.createPod("crash", runs(["sh", "-c", "exit 1"]));
    lab.clock.advance(1000);
    expect(statusOf(lab, "crash")).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: "CrashLoopBackOff" } },
    });
    expect(statusOf(lab, "crash")?.state?.waiting?.message).toMatch(
      /^back-off 10s restarting failed container=agent pod=crash_lab\(/,
    );
    lab.clock.advance(10_000);
    expect(statusOf(lab, "crash")?.restartCount).toBe(2);
    expect(statusOf(lab, "crash")?.state?.waiting?.message).toMatch(/^back-off 20s /);
    expect(statusOf(lab, "crash")?.lastState?.terminated).toMatchObject({ exitCode: 1, reason: "Error" });
    lab.clock.advance(600_000);
    expect(statusOf(lab, "crash")?.state?.waiting?.message).toMatch(/^back-off 5m0s /);
    expect(lab.pod("crash")?.status?.phase).toBe("Running");
  });

  it("by OOM where it takes more memory than it may", () => {
    const lab = oneNode();
    const resources = { limits: { memory: "100Mi" } };
    lab.createPod("hungry", {
      restartPolicy: "Never",
      ...runs(["stress", "--vm", "1", "--vm-bytes", "250M"], { resources }),
    });
    lab.clock.advance(2000);
    expect(statusOf(lab, "hungry")?.state?.terminated).toMatchObject({ reason: "OOMKilled", exitCode: 137 });
  });

  it("when the Pod's deadline passes", () => {
    const lab = oneNode();
    lab.createPod("slow", { activeDeadlineSeconds: 5, ...runs(["sleep", "infinity"]) });
    lab.clock.advance(6000);
    expect(lab.pod("slow")?.status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded" });
  });
});

describe("An image that is not there", () => {
  it.each(["registry.example.com/does-not-exist:1", "nginx:1.161", "foo:non-existent"])(
    "%s is never pulled",
    (image) => {
      const lab = oneNode();
      lab.createPod("web", { containers: [{ name: "agent", image }] });
      lab.clock.advance(60);
      expect(statusOf(lab, "web")?.state?.waiting?.reason).toBe("ErrImagePull");
      lab.clock.advance(1000);
      expect(statusOf(lab, "web")?.state?.waiting?.reason).toBe("ImagePullBackOff");
      expect(lab.pod("web")?.status?.phase).toBe("Pending");
      lab.clock.advance(60_000);
      expect(lab.eventsOf("web").some((e) => e.startsWith(`Normal BackOff Back-off pulling image "${image}"`))).toBe(
        true,
      );
      expect(lab.problems).toEqual([]);
    },
  );

  it("with an impossible name is InvalidImageName", () => {
    const lab = oneNode();
    lab.createPod("web", { containers: [{ name: "agent", image: "NGINX:1" }] });
    lab.clock.advance(100);
    expect(statusOf(lab, "web")?.state?.waiting?.reason).toBe("InvalidImageName");
  });

  it("starts once it is corrected in place", () => {
    const lab = oneNode();
    lab.createPod("web", { containers: [{ name: "agent", image: "nginx:does-not-exist" }] });
    lab.clock.advance(1000);
    const pod = lab.pod("web")!;
    const containers = pod.spec!.containers.map((c) => ({ ...c, image: "nginx:1.27" }));
    const spec = { ...pod.spec, containers };
    lab.api.update({ ...pods, namespace: "lab", name: "web" }, { ...pod, spec }, asNobody);
    lab.clock.advance(200);
    expect(lab.pod("web")?.status?.phase).toBe("Running");
  });
});

describe("Probes", () => {
  it("hold readiness back for the initial delay", () => {
    const lab = oneNode();
    const readinessProbe = { tcpSocket: { port: 8080 }, initialDelaySeconds: 5, periodSeconds: 2 };
    lab.createPod("web", {
      containers: [{ name: "agent", image: "web:1", ports: [{ containerPort: 8080 }], readinessProbe }],
    });
    lab.clock.advance(4000);
    expect(statusOf(lab, "web")).toMatchObject({ ready: false, started: true });
    lab.clock.advance(2000);
    expect(statusOf(lab, "web")?.ready).toBe(true);
  });

  it("never find a port ready that nothing listens on", () => {
    const lab = oneNode();
    const readinessProbe = { httpGet: { port: 9999, path: "/" } };
    lab.createPod("web", {
      containers: [{ name: "agent", image: "web:1", ports: [{ containerPort: 8080 }], readinessProbe }],
    });
    lab.clock.advance(30_000);
    expect(statusOf(lab, "web")?.ready).toBe(false);
    expect(
      lab.eventsOf("web").some((e) => /Unhealthy Readiness probe failed: Get "http:.*connection refused/.test(e)),
    ).toBe(true);
  });

  it("restart the container of the documentation's liveness example when its file goes", () => {
    const lab = oneNode();
    const livenessProbe = { exec: { command: ["cat", "/tmp/healthy"] }, initialDelaySeconds: 5, periodSeconds: 5 };
    const script = "touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600";
    lab.createPod("liveness", runs(["/bin/sh", "-c", script], { livenessProbe }));
    lab.clock.advance(29_000);
    expect(statusOf(lab, "liveness")).toMatchObject({ restartCount: 0, ready: true });
    lab.clock.advance(20_000);
    expect(statusOf(lab, "liveness")?.restartCount).toBe(1);
    expect(lab.eventsOf("liveness")).toContain(
      "Normal Killing Container agent failed liveness probe, will be restarted",
    );
  });
});

describe("A Pod goes", () => {
  it("at once when it is deleted, with a Killing event", () => {
    const lab = oneNode();
    lab.createPod("web");
    lab.clock.advance(200);
    lab.deletePod("web");
    lab.clock.advance(200);
    expect(lab.pod("web")).toBeUndefined();
    expect(lab.eventsOf("web")).toContain("Normal Killing Stopping container agent");
  });

  it("after its preStop hook", () => {
    const lab = oneNode();
    lab.createPod("web", runs(["sleep", "infinity"], { lifecycle: { preStop: { sleep: { seconds: 4 } } } }));
    lab.clock.advance(200);
    lab.deletePod("web");
    lab.clock.advance(3000);
    expect(lab.pod("web")).toBeDefined();
    lab.clock.advance(1500);
    expect(lab.pod("web")).toBeUndefined();
  });
});

describe("Logs", () => {
  it("are what the command evidently prints, also those of the run before", () => {
    const lab = oneNode();
    const script = 'i=0; while [ $i -lt 3 ]; do echo "tick $i"; i=$((i+1)); sleep 1; done; exit 1';
    lab.createPod("counter", { ...runs(["sh", "-c", script]) });
    lab.clock.advance(1500);
    const text = (previous = false) => lab.kubelets.log(lab.pod("counter")!, "agent", previous)?.map((l) => l.text);
    expect(text()).toEqual(["tick 0", "tick 1"]);
    lab.clock.advance(2500);
    expect(text(true)).toEqual(["tick 0", "tick 1", "tick 2"]);
  });
});
