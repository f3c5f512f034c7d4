import { main, ownTasksFolder } from "./src/cli/main.ts";

const interrupt = new AbortController();
let signals = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    interrupt.abort();
    // A second one means "now": files are written atomically, so nothing is torn.
    if (++signals > 1) process.exit(130);
  });
}
// A reader that went away (`./run list | head -1`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  streams: process,
  signal: interrupt.signal,
  ownTasks: ownTasksFolder(import.meta.url),
});
