import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/embedded/api/object.ts";
import { parseSchedule, timeIn, unmetTime } from "../../../src/embedded/controllers/cronjob/schedule.ts";
import type { Job } from "../../../src/embedded/controllers/job/job.ts";
import { workloadLab } from "../fixture/workload-lab.ts";

const cronJobs = { group: "batch", resource: "cronjobs" };
const jobs = { group: "batch", resource: "jobs" };

interface CronJobLike extends KubeObject {
  status?: { active?: { name: string }[]; lastScheduleTime?: string; lastSuccessfulTime?: string };
}

function lab() {
  const world = workloadLab();
  return {
    ...world,
    createCronJob(command: string, spec: object = {}, jobSpec: object = {}): void {
      const container = { name: "work", image: "busybox:1.36", command: ["sh", "-c", command] };
      const template = {
        spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 1, containers: [container] },
      };
      world.make(cronJobs, {
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: "backup" },
        spec: {
          schedule: "* * * * *",
          jobTemplate: { metadata: { labels: { app: "backup" } }, spec: { template, ...jobSpec } },
          ...spec,
        },
      });
    },
    cronJob: () => world.get<CronJobLike>(cronJobs, "backup")!,
    jobNames: () => world.list(jobs).map((job) => job.metadata.name),
    reasons: () => world.eventsOf("backup").map((e) => e.split(" ").slice(1).join(" ")),
  };
}

/** The tests' clock starts at the beginning of 2026. */
const minute = Date.parse("2026-01-01T00:00:00Z") / 60_000;

describe("A CronJob", () => {
  it("makes a Job each time its schedule comes, and notes what became of it", () => {
    const backup = lab();
    backup.createCronJob("sleep 5");
    backup.pass(59);
    expect(backup.jobNames()).toEqual([]);
    backup.pass(2);
    expect(backup.jobNames()).toEqual([`backup-${minute + 1}`]);
    expect(backup.cronJob().status).toMatchObject({
      active: [{ apiVersion: "batch/v1", kind: "Job", namespace: "lab", name: `backup-${minute + 1}` }],
      lastScheduleTime: "2026-01-01T00:01:00Z",
    });
    const job = backup.list<Job>(jobs)[0]!;
    expect(job.metadata.labels).toMatchObject({ app: "backup" });
    expect(job.metadata.annotations).toEqual({
      "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:01:00Z",
    });
    backup.pass(30);
    expect(backup.cronJob().status?.active).toBeUndefined();
    expect(backup.cronJob().status?.lastSuccessfulTime).toBe(backup.list<Job>(jobs)[0]!.status?.completionTime);
    expect(backup.reasons()).toEqual([
      `SuccessfulCreate Created job backup-${minute + 1}`,
      `SawCompletedJob Saw completed job: backup-${minute + 1}, condition: Complete`,
    ]);
    expect(backup.problems).toEqual([]);
    backup.shutDown();
  });

  it("keeps three Jobs that succeeded and one that failed", () => {
    const backup = lab();
    backup.createCronJob("sleep 1");
    backup.pass(60 * 6 - 10);
    expect(backup.jobNames()).toHaveLength(3);
    expect(backup.podNames()).toHaveLength(3);
    expect(backup.reasons()).toContain(`SuccessfulDelete Deleted job backup-${minute + 1}`);
    backup.shutDown();
  });

  it.each([
    ["Allow", 2],
    ["Forbid", 1],
    ["Replace", 1],
  ])("with concurrencyPolicy %s has %i Jobs at work in the second minute", (concurrencyPolicy, count) => {
    const backup = lab();
    backup.createCronJob("sleep 1000", { concurrencyPolicy });
    backup.pass(125);
    expect(backup.cronJob().status?.active).toHaveLength(count);
    expect(backup.jobNames()).toHaveLength(count);
    expect(backup.jobNames()).toContain(`backup-${minute + (concurrencyPolicy === "Replace" ? 2 : 1)}`);
    if (concurrencyPolicy === "Forbid") {
      expect(backup.reasons()).toContain(
        "JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid",
      );
    }
    backup.shutDown();
  });

  it("that is suspended makes nothing, and when resumed starts the last missed Job unless that is too late", () => {
    for (const [startingDeadlineSeconds, count] of [
      [undefined, 1],
      [10, 0],
    ] as const) {
      const backup = lab();
      backup.createCronJob("sleep 1", { suspend: true, startingDeadlineSeconds });
      backup.pass(150);
      expect(backup.jobNames()).toEqual([]);
      backup.patch(cronJobs, "backup", { spec: { suspend: false } });
      backup.pass(1);
      expect(backup.jobNames()).toHaveLength(count);
      backup.shutDown();
    }
  });

  it("has its Jobs deleted some time after their end", () => {
    const backup = lab();
    backup.createCronJob("sleep 1", {}, { ttlSecondsAfterFinished: 10 });
    backup.pass(65);
    expect(backup.jobNames()).toHaveLength(1);
    backup.pass(20);
    expect(backup.jobNames()).toEqual([]);
    expect(backup.podNames()).toEqual([]);
    backup.shutDown();
  });
});

describe("A schedule", () => {
  const at = (text: string) => Date.parse(text);

  it("is read in its time zone", () => {
    expect(parseSchedule("30 6 * * 1-5", "Europe/Berlin").next(at("2026-01-02T12:00:00Z"))).toBe(
      at("2026-01-05T05:30:00Z"),
    );
    expect(timeIn("Europe/Berlin", at("2026-07-01T10:00:00Z"))).toBe("2026-07-01T12:00:00+02:00");
    expect(timeIn(undefined, at("2026-07-01T10:00:00Z"))).toBe("2026-07-01T10:00:00Z");
  });

  it("may be a name or a period", () => {
    expect(parseSchedule("@daily").next(at("2026-01-02T12:00:00Z"))).toBe(at("2026-01-03T00:00:00Z"));
    expect(parseSchedule("@every 1h30m").next(at("2026-01-02T12:00:00Z"))).toBe(at("2026-01-02T13:30:00Z"));
  });

  it("knows the last time that was missed, however many were", () => {
    const hourly = parseSchedule("0 * * * *");
    expect(unmetTime(hourly, at("2026-01-01T00:30:00Z"), at("2026-01-01T00:40:00Z")).at).toBeUndefined();
    expect(unmetTime(hourly, at("2026-01-01T00:30:00Z"), at("2026-01-11T00:40:00Z"))).toEqual({
      at: at("2026-01-11T00:00:00Z"),
      tooMany: true,
      missed: true,
    });
  });

  it("that never comes is refused", () => {
    expect(() => unmetTime(parseSchedule("59 23 31 2 *"), 0, 1)).toThrow(
      "time difference between two schedules is less than 1 second",
    );
  });
});
