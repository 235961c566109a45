import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { initialize } from "../mcp/support/wire.ts";
import { until } from "../support/until.ts";
import { paneward, startPaneward } from "./support/cli.ts";
import { daemonSandbox } from "./support/own-daemon.ts";

test("waits continue over `daemon restart` and miss nothing: wait, read, logs, events, MCP", async (t) => {
  const sandbox = daemonSandbox(t);
  const typed = (...argv: readonly string[]) => paneward(argv, sandbox);
  const started = (...argv: readonly string[]) => startPaneward(t, argv, sandbox);
  const asks = "while read line; do echo got $line; done; exit 7";
  const { stdout: id } = await typed("run", "--name", "echo", "--", "sh", "-c", asks);
  assert.equal(id, "t1\n");
  const { pid: first } = JSON.parse((await typed("daemon", "status", "--json")).stdout);
  const { cursor } = JSON.parse((await typed("read", "t1", "--json")).stdout);

  const wait = started("wait", "t1", "--for", "output=got later");
  const end = started("wait", "t1", "--for", "exited", "--timeout", "300");
  const read = started("read", "t1", "--since", cursor, "--wait", "300");
  const logs = started("logs", "t1", "-f");
  const events = started("events", "--follow", "--json", "--after", "0");
  const mcp = started("mcp");
  const request = (number: number, name: string, input: object) =>
    mcp.child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: number, method: "tools/call", params: { name, arguments: input } })}\n`,
    );
  mcp.child.stdin.write(`${JSON.stringify(initialize)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
  request(7, "terminal_wait", { ids: ["t1"], for: [{ kind: "exited" }], timeout: 300 });
  request(8, "terminal_list", {});
  await until("the model is connected", () => mcp.printed.stdout.includes('"id":8'));
  await until("the events are followed", () => events.printed.stdout.includes("terminal_opened"));
  await until("everyone is connected", () => connectionsTo(sandbox.env.PANEWARD_SOCKET_PATH ?? "") >= 6);

  const restarted = JSON.parse((await typed("daemon", "restart", "--json")).stdout);
  assert.notEqual(restarted.pid, first);
  const { pid: now } = JSON.parse((await typed("daemon", "status", "--json")).stdout);
  assert.equal(now, restarted.pid, "nobody else started one");
  assert.equal((await typed("send", "t1", "later")).code, 0);

  assert.equal((await wait.ended).stdout, "t1 printed got later\n");
  // Read may return with the echo of what was typed, before the program answers.
  assert.match((await read.ended).stdout, /later/);
  assert.equal((await typed("send", "t1", "--key", "C-d")).code, 0);
  assert.equal((await end.ended).stdout, "t1 exited with code 7\n");
  assert.match((await logs.ended).stdout, /got later/);
  await until("the event arrives", () => events.printed.stdout.includes('"terminal_closed"'));
  const numbers = events.printed.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).seq);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + numbers[0]),
    "no gap and none twice",
  );
  await until("the model knows", () => mcp.printed.stdout.includes('"id":7'));
  assert.match(mcp.printed.stdout, /t1 exited with code 7/);
});

/** As the kernel lists them: the daemon's side has the name of the socket. */
function connectionsTo(socket: string): number {
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
  return lines.filter((line) => line.endsWith(` ${socket}`) && / 03 +\d+ /.test(line)).length;
}
