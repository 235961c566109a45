import assert from "node:assert/strict";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { modelAt } from "./support/model.ts";

test("a catastrophic pattern is refused by every kind of wait, and the daemon stays responsive", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const model = modelAt("http", daemon);
  const letters = "a".repeat(60);

  const { id } = await client.run({ argv: ["sh", "-c", `echo ${letters}; exec sleep 1000`] });
  await client.wait({ ids: [id], for: [{ kind: "output", pattern: "aaa" }], timeout: 30 });
  await assert.rejects(client.wait({ ids: [id], for: [{ kind: "output", pattern: "(a+)+b" }], timeout: 30 }), {
    code: "bad_input",
    message: "the pattern takes too long to match; the search was stopped",
  });

  await model.does("send", { command: `printf '%s\\n' ${letters}` });
  await model.does("wait", { pattern: "^aaa" });
  const { error, suggestion } = await model.isRefused("wait", { pattern: "(a+)+b" });
  assert.match(error, /^'pattern' is too slow: .*not \(a\+\)\+b but a\+b$/);
  assert.equal(suggestion, '<capability name="tmux" action="wait" pattern="\\(a\\+\\)\\+b" />');
  assert.equal((await client.ps({})).terminals.length, 1);
});
