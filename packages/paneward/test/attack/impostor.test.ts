import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon } from "../support/daemon.ts";
import { afterwards } from "../support/folder.ts";

test("a program that took the daemon's port gets no token and no text of a command", {
  timeout: 120_000,
}, async (t) => {
  const daemon = await startDaemon(t);
  const { port } = daemon;
  const { token } = await daemon.client.token_create({ scope: "admin" });
  const env = { ...daemon.env, PANEWARD_URL: `http://127.0.0.1:${port}`, PANEWARD_TOKEN: token };
  assert.equal((await paneward(["ps"], { env })).code, 0, "the daemon itself is trusted");
  await daemon.kill("SIGTERM");
  const heard: string[] = [];
  const impostor = createServer((asked, answer) => {
    heard.push(JSON.stringify([asked.method, asked.url, asked.headers]));
    asked.on("data", (bytes) => heard.push(String(bytes)));
    answer.setHeader("content-type", "application/json").end('{"tasks":[],"terminals":[],"pong":true}');
  });
  afterwards(t, () => void impostor.close());
  impostor.listen(port, "127.0.0.1");
  await once(impostor, "listening");
  assert.equal((impostor.address() as AddressInfo).port, port);
  const mcp = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}\n';
  for (const [typed, input] of [
    [["send", "t1", "my password"], ""],
    [["ps"], ""],
    [["events", "--follow"], ""],
    [["mcp"], mcp],
  ] as const) {
    const { stdout, stderr, code } = await paneward(typed, { env, input });
    if (typed[0] === "mcp") continue;
    assert.match(stdout + stderr, /is not the daemon of this token/, typed.join(" "));
    assert.equal(code, 4);
  }
  assert.ok(heard.length > 2);
  for (const line of heard)
    assert.match(line, /^\["GET","\/identity\?nonce=[0-9a-f]{64}",\{"host":"127\.0\.0\.1:\d+"\}\]$/);
});
