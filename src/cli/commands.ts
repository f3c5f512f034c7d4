import type { CommandEntry } from "./command.ts";

/** Every command, in the order `--help` shows them. */
export const commands: CommandEntry[] = [
  {
    usage: "cluster [action] [words..]",
    summary: "clusters.command.summary",
    load: () => import("./cluster/cluster.ts"),
  },
  { usage: "use", summary: "clusters.use.summary", load: () => import("./use.ts") },
  { usage: "env", summary: "clusters.env.summary", load: () => import("./env.ts") },
  { usage: "completion [shell]", summary: "cli.completion.summary", load: () => import("./completion.ts") },
];

/** The name a command is typed by. */
export function commandName(entry: CommandEntry): string {
  return entry.usage.split(" ")[0]!;
}
