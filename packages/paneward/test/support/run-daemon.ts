// The daemon as a process of its own, for tests that end it in rude ways.
import { runDaemon } from "../../src/daemon.ts";

// Meant for this process, not for the programs that it starts.
delete process.env.NODE_COMPILE_CACHE;
process.exitCode = await runDaemon({
  foreground: true,
  onReady: ({ port }) => process.stdout.write(`ready ${port ?? 0}\n`),
});
