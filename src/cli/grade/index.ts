import { availableParallelism } from "node:os";
import { message } from "../../messages/catalogue.ts";
import { defineCommand } from "../command.ts";
import { type GradeArguments, runGrade } from "./run-grade.ts";

/** `./run grade TASK… --submission DIR | --submissions DIR` */
export default defineCommand<GradeArguments>({
  options: (args, say) => {
    const text = (name: "submission") => say(message(`grade.option.${name}`));
    const about = (name: string) => text(name as "submission");
    return args
      .positional("names", { array: true, type: "string", demandOption: true, describe: about("task") })
      .options({
        submission: { type: "string", requiresArg: true, describe: about("submission") },
        submissions: { type: "string", requiresArg: true, describe: about("submissions") },
        jobs: { alias: "j", type: "number", requiresArg: true, default: 1, describe: about("jobs") },
        isolation: { choices: ["bwrap", "process"] as const, describe: about("isolation") },
        timeout: { type: "string", requiresArg: true, default: "60s", describe: about("timeout") },
        settle: { type: "string", requiresArg: true, default: "60s", describe: about("settle") },
        "stop-at-first": { type: "boolean", conflicts: "continue", describe: about("stop-at-first") },
        continue: { type: "boolean", describe: about("continue") },
        reporter: { alias: "r", type: "string", array: true, requiresArg: true, nargs: 1, describe: about("reporter") },
        results: { type: "string", requiresArg: true, describe: about("results") },
        resume: { type: "boolean", implies: "results", describe: about("resume") },
        shard: { type: "string", requiresArg: true, describe: about("shard") },
        "allow-nodes": { type: "boolean", default: false, describe: about("allow-nodes") },
        yes: { alias: "y", type: "boolean", default: false, describe: about("yes") },
      })
      .epilogue(say(message("grade.help", { cores: availableParallelism() }))) as never;
  },
  run: runGrade,
});
