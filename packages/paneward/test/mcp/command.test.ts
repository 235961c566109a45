import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { cliArgv, paneward, startPaneward } from "../cli/support/cli.ts";
import { daemonSandbox } from "../cli/support/own-daemon.ts";
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
  test("starts the daemon on the first call, writes only messages to stdout, and exits when stdin ends", async (t) => {
    const { env } = daemonSandbox(t);
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

  test("refuses a second request with the id of one that is under way", async (t) => {
    const daemon = await startDaemon(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env: { ...daemon.env, PANEWARD_NO_AUTOSTART: "1" } });
    const { id } = await daemon.client.run({ argv: ["sleep", "1000"] });
    const params = { name: "terminal_wait", arguments: { ids: [id], for: [{ kind: "exited" }], timeout: 60 } };
    const wait = { jsonrpc: "2.0", id: 2, method: "tools/call", params };
    child.stdin.write(lines(initialize, initialized, wait, listTerminals));
    await until("the second is refused", () => printed.stdout.includes("another request with the id 2 is under way"));
    await daemon.client.stop({ id });
    await until("the first is answered", () => printed.stdout.includes('"structuredContent"'));
    child.stdin.write(lines(listTerminals));
    await until("its id is free again", () => printed.stdout.includes('"terminals":['));
  });

  test("keeps waiting when the daemon was killed and started again during a call", async (t) => {
    const daemon = await startDaemon(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env: { ...daemon.env, PANEWARD_NO_AUTOSTART: "1" } });
    const call = (id: number, name: string, input: object) =>
      child.stdin.write(lines({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } }));
    const answer = (id: number) =>
      until(`the call ${id} is answered`, () =>
        printed.stdout.split("\n").find((line) => line.includes(`"id":${id}}`)),
      );
    const { id } = await daemon.client.run({ argv: ["sh", "-c", "echo here; exec sleep 1000"] });
    child.stdin.write(lines(initialize, initialized));
    call(10, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "here" }] });
    assert.match(await answer(10), /printed: here/);
    call(11, "terminal_wait", { ids: [id], for: [{ kind: "exited" }], timeout: 600 });
    call(12, "terminal_read", { id });
    assert.match(await answer(12), /here/);
    await daemon.kill("SIGKILL");
    call(13, "terminal_read", { id });
    assert.match(await answer(13), /"code":"unavailable"/);
    await daemon.start();
    call(14, "terminal_read", { id });
    assert.match(await answer(14), /here/);
    await daemon.client.send({ id, keys: ["C-c"] });
    assert.match(await answer(11), /killed by signal/);
  });

  test("without a daemon and with PANEWARD_NO_AUTOSTART, a call returns an error result", async (t) => {
    const { env } = daemonSandbox(t);
    const { child, printed } = startPaneward(t, ["mcp"], { env: { ...env, PANEWARD_NO_AUTOSTART: "1" } });
    child.stdin.write(lines(initialize, initialized, listTerminals));
    await until("the call is answered", () => printed.stdout.includes('"id":2'));
    assert.match(printed.stdout, /"isError":true/);
    assert.match(printed.stdout, /paneward daemon start/);
  });

  test("exits at once when stdin is empty", async (t) => {
    const { env } = await startDaemon(t);
    const { code, stdout } = await paneward(["mcp"], { env });
    assert.deepEqual([code, stdout], [0, ""]);
    const silent = spawnSync(cliArgv[0], [...cliArgv.slice(1), "mcp"], { env, stdio: ["ignore", "pipe", "pipe"] });
    assert.deepEqual([silent.status, String(silent.stdout), String(silent.stderr)], [0, "", ""]);
  });

  test("survives input that is not a message", async (t) => {
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
