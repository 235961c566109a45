import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestDaemon } from "./product.ts";

/** Ends the daemon; what comes back starts it on the same port, as it would be outside a test. */
export async function endDaemon(daemon: TestDaemon, signal: NodeJS.Signals): Promise<() => Promise<void>> {
  const { port } = daemon;
  await daemon.kill(signal);
  return async () => {
    const file = join(daemon.folder, "config", "paneward", "config.toml");
    writeFileSync(file, readFileSync(file, "utf8").replace("port = 0", `port = ${port}`));
    await daemon.start();
  };
}
