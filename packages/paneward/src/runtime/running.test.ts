import assert from "node:assert/strict";
import { test } from "node:test";
import type { TerminalRecord } from "../model/records.ts";
import { requireRunning } from "./running.ts";

test("the hint for a program that ended names what works: a restart, or to start it where it was started", () => {
  const ended = { id: "t1", name: "claude", phase: "ended" } as TerminalRecord;
  const hint = (terminal: TerminalRecord) => {
    try {
      requireRunning(terminal);
    } catch (error) {
      return (error as { hint?: string }).hint;
    }
    return undefined;
  };
  assert.equal(hint(ended), "run it again with `paneward restart t1`");
  assert.equal(hint({ ...ended, adopted: true }), "start it again in your own tmux; `paneward ps` shows what runs");
});
