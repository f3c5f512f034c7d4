import { message } from "../messages/catalogue.ts";
import { PracticeError } from "../messages/practice-error.ts";
import { undoNodeChanges } from "../tasks/node-changes.ts";
import { removeObjects } from "../tasks/remove-objects.ts";
import { attemptsOf, inNamespace, openTask, withLock } from "./attempts.ts";
import { findRunning } from "./cluster-session.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-code.ts";

/** `stop`: removes what the task made and undoes its changes to nodes. What was passed stays known to `list`. */
export default defineCommand({
  async run(_options: object, context) {
    const { out, say, signal } = context;
    return withLock(context, "stop", async () => {
      const attempts = attemptsOf(context);
      const name = await attempts.active();
      const attempt = name === undefined ? undefined : await attempts.read(name);
      if (name === undefined || attempt === undefined) throw new PracticeError("usage", "cli.no-active");
      const task = inNamespace(await openTask(name, context), attempt.namespace);
      const session = await findRunning({ wanted: attempt.cluster, task: name }, context);
      const undone = { changed: [] as string[], missing: [] as string[] };
      if (session !== undefined) {
        const line = await out.spinner(say(message("cli.stop.working", { task: name })));
        try {
          await removeObjects(session.client, task, { say, signal });
          Object.assign(
            undone,
            await undoNodeChanges(session.client, attempt.nodes, {
              signal,
              only: session.cluster.owned ? undefined : task,
            }),
          );
        } finally {
          line.done();
          session.client.close();
        }
      }
      await attempts.write({ ...attempt, state: "stopped" });
      await attempts.setActive(undefined);
      for (const node of undone.missing) out.note(say(message("cli.stop.missing-node", { node })));
      const document = { task: name, removed: session !== undefined, nodes: undone };
      out.result(document, () =>
        session === undefined
          ? say(message("cli.stop.no-cluster"))
          : out.paint("green", `✔ ${say(message("cli.stop.done", { task: name, nodes: undone.changed.length }))}`),
      );
      return exitCodes.ok;
    });
  },
});
