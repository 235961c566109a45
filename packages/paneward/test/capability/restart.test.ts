import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { modelAt } from "./support/model.ts";

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`addresses, titles and read positions survive a daemon ended by ${signal}`, async (t) => {
    const daemon = await startDaemon(t);
    const model = modelAt("http", daemon);
    await model.does("init");
    await model.does("split", { window: "0", direction: "vertical", title: "first" });
    await model.does("split", { window: "0", direction: "vertical", title: "second" });
    await model.does("kill", { pane: "0.1" });
    await model.does("send", { pane: "0.2", command: "echo before-$((1+1))" });
    await model.does("wait", { pane: "0.2", pattern: "before-2$" });
    await model.does("wait", { pane: "0.2" });
    await until(
      "all of it was read",
      async () => (await model.does("read", { pane: "0.2", since: "true" })).output === "",
    );
    const listed = await model.does("list");
    await model.does("send", { pane: "0.2", command: "echo meanwhile-$((1+1))" });

    await daemon.kill(signal);
    await daemon.start();

    assert.deepEqual(
      (await model.does("list")).windows[0].panes.map(({ id, title }: never) => [id, title]),
      [
        ["0.0", "main"],
        ["0.2", "second"],
      ],
    );
    assert.equal(listed.windows[0].panes.length, 2);
    const seen: string[] = [];
    await until("output printed while the daemon was away is new", async () => {
      seen.push((await model.does("read", { pane: "0.2", since: "true" })).output);
      return /meanwhile-2$/m.test(seen.join("\n"));
    });
    assert.ok(!seen.join("\n").includes("before-2"), "output that was already read is not repeated");
    assert.equal((await model.does("split", { window: "0", direction: "vertical" })).pane, "0.3");
    assert.equal((await model.does("window")).window, 1);
    await model.does("send", { pane: "0.2", command: "echo after-$((1+1))" });
    assert.equal((await model.does("wait", { pane: "0.2", pattern: "after-2$" })).reason, "pattern");
  });
}

test("the next call starts a new tmux server if the old one died", async (t) => {
  const daemon = await startDaemon(t);
  const model = modelAt("http", daemon);
  await model.does("window", { name: "old" });
  const { execFileSync } = await import("node:child_process");
  execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", "kill-server"]);
  const listed = await until("the capability works again", async () => {
    const [result] = await model.says('<capability name="tmux" action="list" />');
    return result?.success && result.data;
  });
  assert.deepEqual(
    listed.windows.map(({ id, name }: { id: number; name: string }) => [id, name]),
    [[0, "workspace"]],
  );
});

test("each reader has its own position", async (t) => {
  const daemon = await startDaemon(t);
  const [one, other] = [modelAt("http", daemon), modelAt("tcp", daemon)];
  await one.does("send", { command: "echo shared-$((1+1))" });
  await one.does("wait", { pattern: "shared-2$" });
  for (const model of [one, other]) {
    assert.match((await model.does("read", { since: "true" })).output, /shared-2$/m);
    assert.ok(!(await model.does("read", { since: "true" })).output.includes("shared-2"));
  }
});
