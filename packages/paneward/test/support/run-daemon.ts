// Runs the daemon as a separate process, for tests that kill it.
import { runDaemon } from "../../src/daemon.ts";

// Only for this process, not for the programs it starts.
delete process.env.NODE_COMPILE_CACHE;
process.exitCode = await runDaemon({
  foreground: true,
  onReady: ({ port }) => process.stdout.write(`ready ${port ?? 0}\n`),
});
