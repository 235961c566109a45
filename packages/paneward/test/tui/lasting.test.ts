import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/repository.ts";
import { lastFirst, openPane, step } from "./support/pane.ts";

test("the interface outlasts the daemon, many tasks and many sizes", async (t) => {
  const daemon = await startDaemon(lastFirst(t));
  const repository = makeRepository(daemon, "shop");
  const env = { ...daemon.env, PANEWARD_NO_AUTOSTART: "1" };
  const pane = await openPane(t, env, { folder: repository.root });
  const { run, new: make } = daemon.client;
  await run({ argv: ["sh", "-c", "echo 修复 ready; exec sleep 1000"], name: "wide", cwd: repository.root });
  await pane.type("paneward\n");
  await pane.shows(/t1 wide +Idle/, "修复 ready");

  await step("the daemon is killed and comes back: a badge, and no change is missed", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting", /t1 wide/);
    await daemon.start();
    await run({ argv: ["sleep", "1000"], name: "later", cwd: repository.root });
    await pane.shows(/t2 later +/);
    await pane.lacks("reconnecting");
    await daemon.client.rm({ id: "t2" });
    await pane.lacks("t2 later");
  });

  await step("what the terminal prints afterwards is shown", async () => {
    await run({ argv: ["sh", "-c", "while read line; do echo heard $line; done"], name: "echo", cwd: repository.root });
    await pane.shows(/t3 echo/);
    await pane.type("G");
    await pane.shows("─ t3 echo");
    await daemon.client.send({ id: "t3", text: "you" });
    await pane.shows("heard you");
  });

  await step("200 tasks", async () => {
    for (let batch = 0; batch < 20; batch++) {
      const texts = Array.from({ length: 10 }, (_, at) => `Thing number ${batch * 10 + at + 1}`);
      await Promise.all(texts.map((text) => make({ root: repository.root, text, draft: true })));
    }
    await pane.press("Home");
    await pane.shows("─ 1 thing-number-", "shop  202", /↓ \d+ more/);
    await pane.press("End");
    await pane.shows("─ t3 echo", "heard you");
    await pane.type("/number-177\n");
    await pane.shows(/─ \d+ thing-number-177/, "[/number-177]");
    await pane.press("Escape");
    await pane.lacks("[/number-177]");
    await pane.press("Home");
    await pane.shows("shop  202");
  });

  await step("a storm of sizes, down to 40x10", async () => {
    const sizes = [
      [40, 10],
      [200, 50],
      [41, 11],
      [80, 24],
      [110, 12],
      [39, 9],
      [140, 40],
    ] as const;
    for (let round = 0; round < 5; round++) for (const [columns, rows] of sizes) await pane.resize(columns, rows);
    await pane.resize(40, 10);
    const small = await pane.shows("q quit", /thing-number|thing-n/);
    assert.ok(
      small.split("\n").every((line) => line.length <= 40),
      small,
    );
    await pane.resize(140, 40);
    await pane.shows("shop  202", "q quit", "─ commands ─");
  });

  await step("it leaves at once, also while the daemon is away", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting");
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
  });
});
