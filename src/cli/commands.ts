import type { CommandEntry } from "./command.ts";

/** Every command, in the order `--help` shows them. */
export const commands: CommandEntry[] = [
  { usage: "start <task>", summary: "cli.start.summary", load: () => import("./start/index.ts") },
  { usage: "verify [task]", summary: "cli.verify.summary", load: () => import("./verify/index.ts") },
  { usage: "status", summary: "cli.status.summary", load: () => import("./status.ts") },
  { usage: "list", summary: "cli.list.summary", load: () => import("./list.ts") },
  { usage: "show [task] [step]", summary: "cli.show.summary", load: () => import("./show.ts") },
  { usage: "hint", summary: "cli.hint.summary", load: () => import("./hint.ts") },
  { usage: "solution", summary: "cli.solution.summary", load: () => import("./solution.ts") },
  { usage: "reset", summary: "cli.reset.summary", load: () => import("./reset.ts") },
  { usage: "stop", summary: "cli.stop.summary", load: () => import("./stop.ts") },
  {
    usage: "cluster [action] [words..]",
    summary: "clusters.command.summary",
    load: () => import("./cluster/cluster.ts"),
  },
  { usage: "use", summary: "clusters.use.summary", load: () => import("./use.ts") },
  { usage: "env", summary: "clusters.env.summary", load: () => import("./env.ts") },
  { usage: "doctor", summary: "clusters.doctor.summary", load: () => import("./doctor/index.ts") },
  { usage: "prefetch [task]", summary: "clusters.prefetch.summary", load: () => import("./prefetch.ts") },
  { usage: "grade <names..>", summary: "grade.summary", load: () => import("./grade/index.ts") },
  { usage: "report [words..]", summary: "grade.report.summary", load: () => import("./report/index.ts") },
  { usage: "completion [shell]", summary: "cli.completion.summary", load: () => import("./completion.ts") },
  { usage: "__complete [words..]", load: () => import("./complete.ts") },
];

/** The name a command is typed by. */
export function commandName(entry: CommandEntry): string {
  return entry.usage.split(" ")[0]!;
}
