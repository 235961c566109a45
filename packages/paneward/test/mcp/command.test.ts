import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { paneward, startPaneward } from "../cli/support/cli.ts";
import { ownDaemonPlace } from "../cli/support/own-daemon.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { initialize } from "./support/wire.ts";

const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
const listTerminals = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "terminal_list", arguments: {} },
} as const;
const lines = (...messages: readonly object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");

describe("paneward mcp", { concurrency: 2 }, () => {
  test("starts the daemon at the first call, writes only messages to stdout, and ends with stdin", async (t) => {
    const { env } = ownDaemonPlace(t);
    const { child, printed, ended } = startPaneward(t, ["mcp"], { env });
    child.stdin.write(lines(initialize, initialized, listTerminals));
    await until("the call is answered", () => printed.stdout.includes('"id":2'));
    child.stdin.end();
    const { code, stdout } = await ended;
    assert.equal(code, 0);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.ok(answers.every(({ jsonrpc }) => jsonrpc === "2.0"));
    assert.deepEqual(answers.find(({ id }) => id === 2).result.structuredContent.terminals, []);
  });

  test("with no daemon and no leave to start one, a call is a result that says so", async (t) => {
    const { env } = ownDaemonPlace(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env: { ...env, PANEWARD_NO_AUTOSTART: "1" } });
    child.stdin.write(lines(initialize, initialized, listTerminals));
    await until("the call is answered", () => printed.stdout.includes('"id":2'));
    assert.match(printed.stdout, /"isError":true/);
    assert.match(printed.stdout, /paneward daemon start/);
  });

  test("ends at once when nobody ever speaks", async (t) => {
    const { env } = await startDaemon(t);
    const { code, stdout } = await paneward(["mcp"], { env });
    assert.deepEqual([code, stdout], [0, ""]);
  });

  test("survives what is no message", async (t) => {
    const { env } = await startDaemon(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env });
    child.stdin.write(`no json\n${lines(initialize, initialized, listTerminals)}`);
    await until("the call is answered", () => printed.stdout.includes('"id":2'));
    assert.equal(printed.stdout.trimEnd().split("\n").length, 2);
  });

  test("runs programs in the folder it was started in", async (t) => {
    const { env, folder } = await startDaemon(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env, cwd: folder });
    const params = { name: "terminal_start", arguments: { argv: ["pwd"] } };
    child.stdin.write(lines(initialize, initialized, { ...listTerminals, params }));
    await until("the call is answered", () => printed.stdout.includes('"id":2'));
    assert.ok(printed.stdout.includes(JSON.stringify(folder)), printed.stdout);
  });
});
