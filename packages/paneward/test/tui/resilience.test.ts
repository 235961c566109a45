import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/repository.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

test("the interface survives daemon restarts, many tasks and many sizes", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t));
  const repository = makeRepository(daemon, "shop");
  const env = { ...daemon.env, PANEWARD_NO_AUTOSTART: "1" };
  const pane = await openPane(t, env, { folder: repository.root });
  const { run } = daemon.client;
  await run({ argv: ["sh", "-c", "echo 修复 ready; exec sleep 1000"], name: "wide", cwd: repository.root });
  await pane.type("paneward\n");
  await pane.shows(/t1 wide +Idle/, "修复 ready");

  await step("the daemon is killed and restarted: a badge is shown, and no change is missed", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting", /t1 wide/);
    await daemon.start();
    await run({ argv: ["sleep", "1000"], name: "later", cwd: repository.root });
    await pane.shows(/t2 later +/);
    await pane.lacks("reconnecting");
    await daemon.client.rm({ id: "t2" });
    await pane.lacks("t2 later");
  });

  await step("output after the restart is shown", async () => {
    await run({ argv: ["sh", "-c", "while read line; do echo heard $line; done"], name: "echo", cwd: repository.root });
    await pane.shows(/t3 echo/);
    await pane.type("G");
    await pane.shows("─ t3 echo");
    await daemon.client.send({ id: "t3", text: "you" });
    await pane.shows("heard you");
  });

  await step("200 tasks, created while the daemon is away", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting");
    createDrafts(daemon, repository.root, 200);
    await daemon.start();
    await pane.shows(/200 +thing-number-200 /, "─ t3 echo");
    await pane.lacks("reconnecting");
    await pane.press("Home");
    await pane.shows("─ 1 thing-number-1 ", "shop  202", /↓ \d+ more/);
    await pane.press("End");
    await pane.shows("─ t3 echo", "heard you");
    await pane.type("/number-177\n");
    await pane.shows(/─ \d+ thing-number-177/, "[/number-177]");
    await pane.press("Escape");
    await pane.lacks("[/number-177]");
    await pane.press("Home");
    await pane.shows("shop  202");
  });

  await step("many resizes, down to 40x10", async () => {
    const sizes = [
      [40, 10],
      [200, 50],
      [41, 11],
      [80, 24],
      [110, 12],
      [39, 9],
      [140, 40],
    ] as const;
    for (let round = 0; round < 3; round++) for (const [columns, rows] of sizes) await pane.resize(columns, rows);
    await pane.resize(40, 10);
    const small = await pane.shows("q quit", /thing-number|thing-n/);
    assert.ok(
      small.split("\n").every((line) => line.length <= 40),
      small,
    );
    await pane.resize(140, 40);
    await pane.shows("shop  202", "q quit", "─ commands ─");
  });

  await step("it quits at once, also while the daemon is away", async () => {
    await daemon.kill("SIGKILL");
    await pane.shows("reconnecting");
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
  });
});

/** Creates tasks as `paneward new --draft` does. Calling the daemon 200 times would run git 600 times. */
function createDrafts({ folder }: TestDaemon, root: string, count: number): void {
  const store = openStore(join(folder, "state", "paneward.db"), { now: () => Date.now() });
  for (let number = 1; number <= count; number++) {
    const slug = `thing-number-${number}`;
    store.write((writer) => {
      const id = writer.nextTaskId();
      const worktree = join(folder, "worktrees", slug);
      const created = { slug, root, agent: "claude", draft: true };
      writer.putTask({
        id,
        ...created,
        text: slug,
        branch: slug,
        worktree,
        hasWorktree: false,
        createdAt: Date.now(),
      });
      writer.append("task_created", { task: id, ...created });
    });
  }
  store.close();
}
