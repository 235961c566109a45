import assert from "node:assert/strict";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { overHttp } from "../mcp/support/doors.ts";
import { call, refused } from "../mcp/support/tool-calls.ts";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

// The real agents get the same texts in test/lab/texts.lab.ts.
test("a prompt's text runs nothing through any door; a command is sent on purpose, in a shell with the scope approve", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const agent = scriptedAgent(folder, "codex");
  const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
  await agent.noted("ready");
  const model = await overHttp(t, daemon, "send");

  for (const text of ["!touch ran", " !touch ran", "\r\n!touch ran", "!a\nb\nc\nd\ne", "use $skill-creator now"]) {
    const error = await client.send({ id, text }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof PanewardError, text);
    assert.equal(error.code, "bad_input");
    assert.match(error.message, /^codex would .*; nothing was typed$/);
    assert.match(error.hint ?? "", /--command/);
    assert.equal((await refused(model, "terminal_send", { id, text })).code, "bad_input");
  }
  const shell = { id, text: "!touch ran", command: true };
  assert.equal((await refused(model, "terminal_send", shell)).code, "not_allowed");
  const keys = { id, keys: ["!", "l", "s", "Enter"], enter: false };
  assert.equal((await refused(model, "terminal_send", keys)).code, "not_allowed");
  assert.deepEqual([agent.prompts(), (await client.deliveries({ id, limit: 5 })).deliveries], [[], []]);

  await call(model, "terminal_send", { id, text: "/compact", command: true, ack: 30 });
  await client.send({ ...shell, ack: 30 });
  await client.send({ id, text: "one\r\ntwo", ack: 30 });
  assert.deepEqual(agent.prompts(), ["/compact", "!touch ran", "one\ntwo"]);
});
