import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldEnds } from "./held-ends.ts";
import type { TmuxEvent } from "./protocol/ledger.ts";

const exited = { kind: "pane_died", pane: "%1", pid: 7, exit: { kind: "exited", code: 3 } } as const;
const killed = { kind: "pane_died", pane: "%2", pid: 8, exit: { kind: "killed", signal: 9 } } as const;

test("an end with a code waits for its mark on a machine that is slow; what may have no mark waits less", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told: TmuxEvent[] = [];
  const ends = new HeldEnds((event) => told.push(event));
  ends.hold(exited, true);
  ends.hold(killed, true);
  t.mock.timers.tick(1_000);
  assert.deepEqual(told, [killed]);
  ends.release("%1");
  t.mock.timers.tick(10_000);
  assert.deepEqual(told, [killed, exited]);
});

test("a mark that never comes is not waited for any longer, and that of a pane without a wrapper hardly", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told: TmuxEvent[] = [];
  const ends = new HeldEnds((event) => told.push(event));
  ends.hold(exited, false);
  t.mock.timers.tick(300);
  assert.deepEqual(told, [exited]);
  ends.hold(exited, true);
  t.mock.timers.tick(2_000);
  assert.deepEqual(told, [exited, exited]);
});
