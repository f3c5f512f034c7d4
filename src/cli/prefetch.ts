import { message } from "../messages/catalogue.ts";
import { findTasks } from "../tasks/find-task.ts";
import { imagesOf } from "../tasks/start-state.ts";
import { openTask } from "./attempts.ts";
import { withProgress } from "./cluster/progress-line.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

interface PrefetchOptions {
  task?: string;
}

/** Brings kind's node image and the images of the tasks (or of one) to this machine, for work without a network. */
export default defineCommand<PrefetchOptions>({
  options: (args, say) => args.positional("task", { type: "string", describe: say(message("clusters.prefetch.task")) }),
  async run({ task }, context) {
    const { globals, env, out, say, signal } = context;
    const names = task === undefined ? (await findTasks(globals.taskFolders)).map(({ name }) => name) : [task];
    const tasks = await Promise.all(names.map((name) => openTask(name, context)));
    const images = (await Promise.all(tasks.map((each) => imagesOf(each, say)))).flat();
    const { prefetchImages } = await import("../clusters/kind/provider.ts");
    const fetched = await withProgress(out, say, (progress) =>
      prefetchImages({ home: globals.home, env }, images, progress, signal),
    );
    out.result({ images: fetched }, () =>
      fetched
        .map(({ image, pulled }) => {
          const state = say(message(pulled ? "clusters.prefetch.pulled" : "clusters.prefetch.present"));
          return `${out.paint("green", "✔")} ${image.split("@")[0]}  ${out.paint("dim", state)}`;
        })
        .join("\n"),
    );
    return exitCodes.ok;
  },
});
