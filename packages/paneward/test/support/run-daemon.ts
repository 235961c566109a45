// The daemon as a process of its own, for tests that end it in rude ways.
import { runDaemon } from "../../src/daemon.ts";

process.exitCode = await runDaemon({
  foreground: true,
  onReady: ({ port }) => process.stdout.write(`ready ${port ?? 0}\n`),
});
