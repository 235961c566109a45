import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

test("the terminal is restored, however the interface ends", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t));
  const crash = join(daemon.folder, "crash.mjs");
  writeFileSync(crash, 'process.on("SIGUSR2", () => { throw new Error("a fault of ours"); });\n');
  const env = { ...daemon.env, NODE_OPTIONS: `--import=${crash}` };
  const pane = await openPane(t, env, { folder: daemon.folder, columns: 100, rows: 30 });
  const before = await pane.modes();
  const begin = async () => {
    await pane.type("clear; paneward\n");
    await pane.shows("Nothing is running yet.", "q quit");
  };
  const isLeft = async (code: number) => {
    await pane.shows(/ready>\s*$/);
    await pane.type("echo code $?\n");
    await pane.shows(`code ${code}`);
    assert.equal(await pane.modes(), before);
  };
  const signalled = (signal: NodeJS.Signals) => async () => process.kill(await pane.child(), signal);
  const ways: readonly (readonly [name: string, leave: () => Promise<unknown>, code: number])[] = [
    ["q", () => pane.type("q"), 0],
    ["Ctrl-C", () => pane.press("C-c"), 0],
    ["SIGTERM", signalled("SIGTERM"), 143],
    ["SIGHUP", signalled("SIGHUP"), 129],
    ["an exception", signalled("SIGUSR2"), 1],
  ];
  for (const [name, leave, code] of ways) {
    await step(name, async () => {
      await begin();
      await leave();
      await isLeft(code);
    });
  }
  await step("Ctrl-Z suspends, and fg resumes", async () => {
    await begin();
    await pane.press("C-z");
    await pane.shows(/ready>\s*$/);
    assert.equal(await pane.modes(), before);
    await pane.type("fg\n");
    await pane.shows("Nothing is running yet.", "q quit");
    await pane.type("q");
    await isLeft(0);
  });
});
