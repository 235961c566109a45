import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Input, Output } from "@paneward/sdk";
import { overHttp } from "../mcp/support/doors.ts";
import { startDaemon } from "../support/daemon.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

interface Bridge {
  sendText(input: Input<"send_text">): Promise<Output<"send_text">>;
  sendKeys(input: Input<"send_keys">): Promise<Output<"send_keys">>;
  health(input: Input<"health">): Promise<Output<"health">>;
}

test("the bridge of the older dashboard, over HTTP and over MCP, for any pane", async (t) => {
  const tmp = await temporaryFolder(t);
  const daemon = await startDaemon(t, "", { TMUX_TMPDIR: tmp });
  const { client, folder } = daemon;
  const ownSocket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const socket = join(tmp, `tmux-${process.getuid?.()}`, "default");
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, TMUX_TMPDIR: tmp, LANG: "C.UTF-8" },
    }).trim();
  const token = (await client.token_create({ scope: "approve", name: "bridge" })).token;
  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${daemon.port}/api/bridge/${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as Answer;
  }
  const http: Bridge = {
    sendText: (input) => post("send_text", input),
    sendKeys: (input) => post("send_keys", input),
    health: (input) => post("health", input),
  };
  const model = await overHttp(t, daemon, "approve");
  async function callTool<Answer extends { readonly error_type: string | null }>(action: string, input: object) {
    const { structuredContent, isError } = await model.callTool({
      name: "pane_bridge",
      arguments: { action, ...input },
    });
    const answer = structuredContent as unknown as Answer;
    assert.equal(isError ?? false, answer.error_type !== null);
    return answer;
  }
  const mcp: Bridge = {
    sendText: (input) => callTool("send_text", input),
    sendKeys: (input) => callTool("send_keys", input),
    health: ({ level: _level, ...input }) => callTool("health", input),
  };

  const program = join(folder, "claude");
  const steps = ["#!/bin/sh", "echo up", 'while read line; do echo "got $line"; done', "while :; do sleep 1; done"];
  writeFileSync(program, `${steps.join("\n")}\n`);
  chmodSync(program, 0o755);
  // Their ids must differ from those of the user's own server, where the first panes are made below.
  for (let one = 0; one < 4; one++) await client.stop({ id: (await client.run({ argv: ["cat"], cwd: folder })).id });
  const agent = await client.run({ argv: [program], cwd: folder });
  const plain = await client.run({ argv: ["cat"], cwd: folder });
  tmux("new-session", "-d", "-s", "mine", "-x", "80", "-y", "20", "cat");
  afterwards(t, () => void tmux("kill-server"));
  const mine = tmux("display-message", "-p", "-t", "=mine:", "#{pane_id}");
  const shows = (pane: string, server = socket) => tmux("-S", server, "capture-pane", "-p", "-t", pane);

  for (const [door, bridge] of Object.entries({ http, mcp })) {
    await t.test(`${door}: text and keys arrive in any pane, and the result says how long it took`, async () => {
      for (const [pane, server] of [
        [plain.pane ?? "", ownSocket],
        [mine, socket],
      ] as const) {
        const text = `over ${door} $HOME; "x" ${pane}`;
        const sent = await bridge.sendText({ pane_id: pane, text });
        const { success, error_type, error_message, latency_ms } = sent;
        assert.deepEqual([success, error_type, error_message, typeof latency_ms], [true, null, null, "number"]);
        await until("it arrives", () => shows(pane, server).includes(text));
        const keys = await bridge.sendKeys({ pane_id: pane, keys: ["z", "y", "Enter"] });
        assert.equal(keys.success, true, JSON.stringify(keys));
        await until("the keys arrive", () => /zy/.test(shows(pane, server)));
        assert.equal((await bridge.sendKeys({ pane_id: pane, keys: "Enter" })).success, true);
      }
    });

    await t.test(`${door}: health says whether the pane exists and an agent runs in it`, async () => {
      await until("the agent runs", async () => (await bridge.health({ pane_id: agent.pane ?? "" })).running);
      for (const [pane, running] of [
        [agent.pane, true],
        [plain.pane, false],
        [mine, false],
      ] as const) {
        const { pid, ...health } = await bridge.health({ pane_id: pane ?? "" });
        assert.deepEqual(health, { ...health, available: true, running, error_type: null, error_message: null });
        assert.equal(typeof pid, "number");
      }
    });

    await t.test(`${door}: what cannot be reached has its error type`, async () => {
      for (const [pane_id, type] of [
        ["", "no_pane_id"],
        ["main:0.1", "no_pane_id"],
        ["%99", "pane_not_found"],
      ] as const) {
        const results = [
          await bridge.sendText({ pane_id, text: "x" }),
          await bridge.sendKeys({ pane_id, keys: "C-c" }),
          await bridge.health({ pane_id }),
          await bridge.sendText({ pane_id, text: "x", socket: join(tmp, "none.sock") }),
        ];
        assert.deepEqual(
          results.map(({ error_type }) => error_type),
          [type, type, type, type],
        );
      }
      const odd = await bridge.sendKeys({ pane_id: mine, keys: ["NoSuchKey"] });
      assert.deepEqual([odd.success, odd.error_type], [false, "send_failed"]);
    });
  }

  await t.test("health has three levels, and finds what agents are run by", async () => {
    const below = tmux(
      "new-window",
      "-t",
      "mine",
      "-P",
      "-F",
      "#{pane_id}",
      "sh -c 'sh -c \"sleep 1000; true\" & wait'",
    );
    const node = tmux(
      "new-window",
      "-t",
      "mine",
      "-P",
      "-F",
      "#{pane_id}",
      `'${process.execPath}' -e 'setInterval(() => {}, 1000)'`,
    );
    const seen = async (pane: string, level: "exists" | "command" | "process_tree") =>
      (await http.health({ pane_id: pane, level })).running;
    await until("node runs", () => seen(node, "command"));
    assert.deepEqual(await Promise.all([seen(below, "exists"), seen(below, "command"), seen(below, "process_tree")]), [
      true,
      false,
      false,
    ]);
    assert.equal(await seen(node, "process_tree"), true);
  });

  await t.test("an id that two servers have is refused until the server is named", async () => {
    const ids = new Set<string>();
    while (!ids.has(plain.pane ?? "")) ids.add(tmux("new-window", "-d", "-t", "mine", "-P", "-F", "#{pane_id}", "cat"));
    const pane_id = plain.pane ?? "";
    const refused = await http.sendText({ pane_id, text: "to whom" });
    assert.deepEqual([refused.success, refused.error_type], [false, "no_pane_id"]);
    assert.match(refused.error_message ?? "", /several servers have a pane .*give socket: .* or /);
    for (const server of [ownSocket, socket]) {
      assert.equal((await http.sendText({ pane_id, text: `to ${server}`, socket: server })).success, true);
      await until("it arrives", () => shows(pane_id, server).includes(`to ${server}`));
    }
    assert.ok(![ownSocket, socket].some((server) => shows(pane_id, server).includes("to whom")));
  });

  await t.test("typing needs the scope approve, looking only read", async () => {
    const { token: reader } = await client.token_create({ scope: "read", name: "reader" });
    const ask = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${daemon.port}/api/bridge/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${reader}`, "content-type": "application/json" },
        body: JSON.stringify({ pane_id: mine, socket, ...body }),
      });
    assert.equal((await ask("send_text", { text: "x" })).status, 403);
    assert.equal((await ask("health", {})).status, 200);
  });
});
