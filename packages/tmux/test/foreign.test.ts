import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { capture } from "../src/capture.ts";
import { checkHealth } from "../src/health.ts";
import { sendKeys, sendText } from "../src/input.ts";
import { paneDetails, snapshot } from "../src/pane.ts";
import { openForeignServer, socketPathFrom } from "../src/server.ts";
import { watchServer } from "../src/watch.ts";
import { afterwards, temporaryFolder } from "./support/folder.ts";
import { isAlive } from "./support/place.ts";
import { runProgram } from "./support/run.ts";
import { until } from "./support/until.ts";

// Keep the environment of the person running the tests out of failure messages.
const bare = ["env", "-i", `PATH=${process.env.PATH}`];

test("a foreign server is read and typed into without being changed", async (t) => {
  const folder = await temporaryFolder(t);
  const tmux = (...args: string[]) =>
    runProgram([...bare, "tmux", "-f", "/dev/null", "-S", join(folder, "theirs"), ...args]);
  await tmux("new-session", "-d", "-s", "their.session", "-n", "theirs", "-x", "80", "-y", "24", "cat");
  const [pane, variable, pid] = (await tmux("display-message", "-p", "#{pane_id} #{socket_path},#{pid},0 #{pid}"))
    .trim()
    .split(" ");
  afterwards(t, async () => {
    await tmux("kill-server");
    await until("the foreign server is gone", () => !isAlive(Number(pid)));
  });
  const state = async () => {
    const asked = [
      ["show-options", "-g"],
      ["show-options", "-s"],
      ["show-options", "-gw"],
      ["show-options", "-A", "-t", pane ?? ""],
      ["show-options", "-pA", "-t", pane ?? ""],
      ["show-hooks", "-g"],
      ["show-environment", "-g"],
      ["list-clients"],
      ["list-buffers"],
      ["list-sessions", "-F", "#{session_id} #{session_name} #{session_attached}"],
      ["list-windows", "-a", "-F", "#{window_id} #{window_name} #{window_layout}"],
    ];
    return Promise.all(asked.map((args) => tmux(...args)));
  };
  const before = await state();

  const server = await openForeignServer({ socketPath: socketPathFrom(variable ?? "") });
  afterwards(t, () => server.close());
  const [row] = await snapshot(server);
  assert.equal(row?.pane, pane);
  const target = row?.pane ?? "%0";
  await sendText(server, target, "hello;", { enter: true, delayMs: 1 });
  await until(
    "the foreign pane shows it",
    async () => (await capture(server, target)).lines.filter((line) => line === "hello;").length === 2,
  );
  await sendText(server, target, "two\nlines");
  await sendText(server, target, "x".repeat(5_000));
  await sendKeys(server, target, ["C-u", "Enter"], { delayMs: 1 });
  assert.equal((await paneDetails(server, [target]))[0]?.currentCommand, "cat");
  assert.equal((await checkHealth(server, target, "command", ["cat"])).running, true);
  assert.equal(server.status().transport, "spawn");
  assert.equal(server.keeper, undefined);
  await assert.rejects(watchServer(server), { type: "send_failed" });

  for (const [at, now] of (await state()).entries()) assert.equal(now, before[at]);
});

test("a socket path is parsed from $TMUX, and a value without a server is refused", () => {
  assert.equal(socketPathFrom("/tmp/tmux-0/a,b,123,4"), "/tmp/tmux-0/a,b");
  for (const bad of ["", "/tmp/x", "/tmp/x,1"]) assert.throws(() => socketPathFrom(bad), { type: "server_lost" });
});

test("a missing foreign server is server_lost", async (t) => {
  const socketPath = join(await temporaryFolder(t), "nobody");
  await assert.rejects(openForeignServer({ socketPath }), { type: "server_lost", delivered: "no" });
});
