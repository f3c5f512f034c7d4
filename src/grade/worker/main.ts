import { InProcessGrader } from "./in-process.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";

/** A worker process: grades what its parent sends, one submission at a time, and ends with it. */
const stop = new AbortController();
let grader: InProcessGrader | undefined;

const tell = (message: FromWorker) => process.send?.(message);

process.on("disconnect", () => {
  stop.abort(new Error("the grader is gone"));
  process.exit(0);
});
// Ctrl-C reaches the whole group: the parent decides when its workers end.
process.on("SIGINT", () => {});

process.on("message", async (message: ToWorker) => {
  if (message.kind === "start") {
    try {
      grader = await InProcessGrader.start(message.options, stop.signal);
      tell({ kind: "ready" });
    } catch (error) {
      tell({ kind: "unusable", reason: error instanceof Error ? error.message : String(error) });
    }
    return;
  }
  const result = await grader!.grade(message, (partial) => tell({ kind: "step", result: partial }));
  tell({ kind: "done", result });
});
