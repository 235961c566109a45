import assert from "node:assert/strict";
import { test } from "node:test";
import { TmuxError, typeOfComplaint } from "./errors.ts";

test("tmux's complaints have types that a program can switch on", () => {
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
  for (const [complaint, type] of Object.entries(table)) assert.equal(typeOfComplaint(complaint), type, complaint);
});

test("the values of -e are left out of an error, their names are kept", () => {
  const error = new TmuxError("unknown", "x", {
    argv: ["new-session", "-e", "TOKEN=secret\nmore", "-e", "A=", "prog"],
  });
  assert.deepEqual(error.argv, ["new-session", "-e", "TOKEN=…", "-e", "A=…", "prog"]);
});

test("an error that says nothing about it was not delivered, and the cause is kept", () => {
  const cause = new Error("why");
  const error = new TmuxError("timeout", "late", { cause });
  assert.equal(error.delivered, "no");
  assert.equal(error.cause, cause);
});
