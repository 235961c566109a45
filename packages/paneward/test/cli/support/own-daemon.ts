import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentIn, killTmux } from "../../support/daemon.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { paneward } from "./cli.ts";

/** A folder and environment in which the command line starts a real daemon; cleaned up after the test. */
export function daemonSandbox(t: Cleanup): {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
} {
  const folder = mkdtempSync(join(tmpdir(), "pw-own-"));
  const temporary = join(folder, "tmp");
  const env: Readonly<Record<string, string>> = { ...environmentIn(folder), TMPDIR: temporary };
  mkdirSync(temporary);
  mkdirSync(join(folder, "config", "paneward"), { recursive: true });
  writeFileSync(join(folder, "config", "paneward", "config.toml"), "[web]\nport = 0\n");
  afterwards(t, async () => {
    await paneward(["daemon", "stop"], { env });
    killTmux(env.PANEWARD_TMUX_SOCKET_PATH ?? "");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { folder, env };
}
