import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTypeOf, TmuxError } from "./errors.ts";

test("tmux's error messages map to error types", () => {
  const table = {
    "can't find pane: %9": "pane_not_found",
    "can't find session: x": "session_not_found",
    "can't find window: @9": "session_not_found",
    "no server running on /s": "server_lost",
    "error connecting to /s (No such file or directory)": "server_lost",
    "server exited unexpectedly": "server_lost",
    "env: 'tmux': No such file or directory": "tmux_not_installed",
    "sh: 1: tmux: not found": "tmux_not_installed",
    "duplicate session: x": "subprocess_failed",
  };
  for (const [message, type] of Object.entries(table)) assert.equal(errorTypeOf(message), type, message);
});

test("an error contains the names of -e variables, not their values", () => {
  const error = new TmuxError("unknown", "x", {
    argv: ["new-session", "-e", "TOKEN=secret\nmore", "-e", "A=", "prog"],
  });
  assert.deepEqual(error.argv, ["new-session", "-e", "TOKEN=…", "-e", "A=…", "prog"]);
});

test("an error is not delivered by default, and keeps its cause", () => {
  const cause = new Error("why");
  const error = new TmuxError("timeout", "late", { cause });
  assert.equal(error.delivered, "no");
  assert.equal(error.cause, cause);
});
