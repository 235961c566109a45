import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServer, openJournal, openPrivateServer, openSession, type Server, watchServer } from "@paneward/tmux";
import { narrate } from "./narrate.ts";
import { programs } from "./programs.ts";

/** A private tmux server, three programs in it, and what tmux pushes about them while they run. */
async function demo(stop: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "paneward-demo-"));
  let server: Server | undefined;
  try {
    server = await openPrivateServer({ socketPath: join(folder, "tmux.sock") });
    console.log(introduction(server));
    await runAll(server, folder, stop);
  } finally {
    if (server) await killServer(server);
    await rm(folder, { recursive: true, force: true });
  }
  console.log(stop.aborted ? "\nStopped. Nothing is left behind." : "\nAll three ended. Nothing is left behind.");
}

async function runAll(server: Server, folder: string, stop: AbortSignal): Promise<void> {
  const watcher = await watchServer(server);
  const told = narrate(watcher, programs.length, stop);
  for (const { name, argv } of programs) {
    const journal = await openJournal(server.files, join(folder, name));
    const opened = await openSession(server, { name, argv, journal });
    watcher.addJournal(opened.pane, journal);
    told.started({ name, argv, journal, ...opened });
  }
  await Promise.race([told.done, stop.aborted ? undefined : once(stop, "abort")]);
  await watcher.close();
}

function introduction({ version, identity, socketPath, status }: Server): string {
  return [
    `tmux ${version.text}, a private server with pid ${identity.pid} on ${socketPath}`,
    `commands travel by ${status().transport} mode; your own tmux is not touched`,
    "",
  ].join("\n");
}

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => interrupt.abort());
}
try {
  await demo(interrupt.signal);
} catch (error) {
  console.error(`The demo failed: ${(error as Error).message}`);
  process.exitCode = 4;
}
