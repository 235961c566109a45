import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "../../test/support/random.ts";
import type { Hint, News } from "./events.ts";
import type { Exit, PaneRow } from "./formats.ts";
import { Ledger, type TmuxEvent } from "./ledger.ts";

const exited = (code: number): Exit => ({ kind: "exited", code });
const died: TmuxEvent = { kind: "pane_died", pane: "%1", pid: 10, exit: exited(3) };
const hint = (serial: number, news: News): Hint => ({ serial, news });
const diedHint = (serial: number, pid = 10) => hint(serial, { kind: "died", pane: "%1", pid, exit: exited(3) });

function row(change: Partial<PaneRow> = {}): PaneRow {
  const alive = { pane: "%1", pid: 10, window: "@1", session: "$1", dead: false, exit: undefined } as const;
  return { ...alive, piped: true, bells: 0, sessionName: "work", ...change };
}
const dead = row({ dead: true, exit: exited(3) });

test("an exit is emitted once, whichever of the three sources reports it first", () => {
  const witnesses: readonly ((ledger: Ledger) => readonly TmuxEvent[])[] = [
    (ledger) => ledger.died("%1", 10, exited(3)),
    (ledger) => ledger.hints([diedHint(1)]),
    (ledger) => ledger.listing([dead]),
  ];
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const ledger = new Ledger([row()], 0);
    assert.deepEqual(
      order.flatMap((at) => witnesses[at]?.(ledger) ?? []),
      [died],
      `order ${order}`,
    );
  }
});

test("the state when watching began is not news", () => {
  const ledger = new Ledger([dead, row({ pane: "%2", bells: 4 })], 5);
  assert.deepEqual(ledger.listing([dead, row({ pane: "%2", bells: 4 })]), []);
  assert.deepEqual(ledger.hints([diedHint(4)]), []);
});

test("a dead pane without a status is not an exit", () => {
  const ledger = new Ledger([row()], 0);
  assert.deepEqual(ledger.listing([row({ dead: true })]), []);
  assert.deepEqual(ledger.hints([hint(1, { kind: "died", pane: "%1", pid: 10, exit: undefined })]), []);
  assert.deepEqual(ledger.listing([dead]), [died]);
});

test("a program respawned in the same pane ends again, and late reports of the earlier one are ignored", () => {
  const ledger = new Ledger([row()], 0);
  assert.equal(ledger.died("%1", 10, exited(3)).length, 1);
  assert.equal(ledger.died("%1", 11, exited(0)).length, 1);
  assert.deepEqual(ledger.hints([diedHint(1, 10), diedHint(2, 11)]), []);
  assert.deepEqual(ledger.died("%1", 10, exited(3)), []);
});

test("a listing older than an exit mark does not repeat the exit", () => {
  const ledger = new Ledger([], 0);
  assert.equal(ledger.died("%1", 10, exited(3)).length, 1);
  assert.deepEqual(ledger.listing([]), []);
  assert.ok(!ledger.listing([dead]).some(({ kind }) => kind === "pane_died"));
});

test("replaying a hint is idempotent, by its serial", () => {
  const ledger = new Ledger([], 0);
  const opened = hint(1, { kind: "window_opened", window: "@9" });
  const closed = hint(2, { kind: "window_closed", window: "@9" });
  assert.deepEqual(
    [...ledger.hints([opened, closed]), ...ledger.hints([opened, closed])].map(({ kind }) => kind),
    ["window_opened", "window_closed"],
  );
});

test("sessions and windows open and close once, by hint or by listing; a closed session has its last name", () => {
  const ledger = new Ledger([], 0);
  assert.deepEqual(ledger.hints([hint(1, { kind: "session_opened", session: "$1", name: "work" })]), [
    { kind: "session_opened", session: "$1", name: "work" },
  ]);
  assert.deepEqual(ledger.listing([row({ sessionName: "renamed" })]), [{ kind: "window_opened", window: "@1" }]);
  assert.deepEqual(ledger.listing([]), [
    { kind: "window_closed", window: "@1" },
    { kind: "session_closed", session: "$1", name: "renamed" },
  ]);
  assert.deepEqual(ledger.hints([hint(2, { kind: "session_closed", session: "$1" })]), []);
});

test("the bell count only grows", () => {
  const ledger = new Ledger([row()], 0);
  const bell = (serial: number, bells: number) => ledger.hints([hint(serial, { kind: "bell", window: "@1", bells })]);
  assert.deepEqual(bell(1, 1), [{ kind: "bell", window: "@1", count: 1 }]);
  assert.deepEqual(ledger.listing([row({ bells: 3 })]), [{ kind: "bell", window: "@1", count: 3 }]);
  assert.deepEqual(bell(2, 2), []);
});

test("each fact is emitted once, for any order and repetition of reports", () =>
  fuzz(({ below }) => {
    const ledger = new Ledger([row()], 0);
    const reported: TmuxEvent[] = [];
    const pids = [10, 11, 12].slice(0, 1 + below(3));
    for (const [at, pid] of pids.entries()) {
      const last = row({ pid, dead: true, exit: exited(3) });
      const steps = [
        () => reported.push(...ledger.died("%1", pid, exited(3))),
        () => reported.push(...ledger.hints([diedHint(at + 1, pid)])),
        () => reported.push(...ledger.listing([last])),
      ];
      for (let step = 0; step < 4; step++) steps[below(3)]?.();
      for (const step of steps) step();
    }
    assert.deepEqual(
      reported.map((event) => event.kind === "pane_died" && event.pid),
      pids,
    );
  }));
