import assert from "node:assert/strict";
import { test } from "node:test";
import { readClaudeState } from "./state-file.ts";

test("Claude Code's state file gives its status, since when, and its pane", () => {
  const file = (more: object) =>
    readClaudeState(
      "7.json",
      JSON.stringify({ sessionId: "s1", tmux: "paneward-t1-x:@5.%5", statusUpdatedAt: 1_700_000_000_000, ...more }),
    );
  assert.deepEqual(file({ status: "waiting", waitingFor: "permission prompt" }), {
    pid: 7,
    says: "needs_input",
    rule: "its state file says waiting for permission prompt",
    at: 1_700_000_000_000,
    sessionId: "s1",
    session: "paneward-t1-x",
    pane: "%5",
  });
  assert.equal(file({ status: "busy" })?.says, "working");
  assert.equal(
    file({ status: "idle", statusUpdatedAt: "2026-11-16T00:00:00Z" })?.at,
    Date.parse("2026-11-16T00:00:00Z"),
  );
  assert.equal(file({ status: "dancing" }), undefined);
  assert.equal(readClaudeState("7.json", '{"status":"id'), undefined);
});
