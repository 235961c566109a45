import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestDaemon } from "./product.ts";

/** Kills the daemon; the returned function restarts it on the same port. */
export async function endDaemon(daemon: TestDaemon, signal: NodeJS.Signals): Promise<() => Promise<void>> {
  const { port } = daemon;
  await daemon.kill(signal);
  return async () => {
    const file = join(daemon.folder, "config", "paneward", "config.toml");
    writeFileSync(file, readFileSync(file, "utf8").replace("port = 0", `port = ${port}`));
    await daemon.start();
  };
}
