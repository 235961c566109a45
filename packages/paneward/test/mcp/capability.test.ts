import { describe, test } from "node:test";
import { eachAction } from "../capability/cases/cases.ts";
import { run } from "../capability/support/workbench.ts";
import { startDaemon } from "../support/daemon.ts";
import { temporaryFolder } from "../support/folder.ts";
import { mcpDoors } from "./support/doors.ts";
import { modelOver } from "./support/model.ts";

describe("the capability through the tool tmux", { concurrency: 2 }, () => {
  for (const door of mcpDoors.filter(({ name }) => name.endsWith("2025"))) {
    test(`over ${door.name}`, async (t) => {
      const daemon = await startDaemon(t);
      const model = modelOver(await door.connect(t, daemon));
      const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
      const tmux = (...args: readonly string[]) => run("tmux", "-S", socket, ...args);
      const folder = await temporaryFolder(t);
      for (const { name, run: keep } of eachAction) await t.test(name, () => keep({ model, daemon, folder, tmux }));
    });
  }
});
