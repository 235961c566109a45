import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { afterFailure, afterInterruption, afterLoss, byPerson, comesBack, restoreOf, revived } from "./lost.ts";
import type { TaskRecord, TerminalRecord } from "./records.ts";

const minute = 60_000;
const lost = {
  ...{ id: "t3", name: "web", host: "local", argv: ["web"], cwd: "/app", phase: "ended" },
  end: { kind: "lost", reason: "the tmux server is gone" },
} as unknown as TerminalRecord;
const task = { id: 7, terminal: "t3" } as TaskRecord;
const there = { task: undefined, hasFolder: true };

describe("what would bring a lost program back", () => {
  const table: readonly (readonly [string, Partial<TerminalRecord>, Partial<typeof there> | object, unknown])[] = [
    ["a command", {}, {}, { can: true, command: "paneward restore t3" }],
    ["a task, by its number", { task: 7 }, { task }, { can: true, command: "paneward restore 7" }],
    ["nothing: its folder is gone", {}, { hasFolder: false }, "its folder /app is gone"],
    [
      "nothing: its worktree is gone",
      { task: 7 },
      { task, hasFolder: false },
      "its worktree is gone; `paneward start 7` makes it again",
    ],
    [
      "nothing: it was found without a record",
      { found: true },
      {},
      "it was found without its record, and its command is not known",
    ],
    ["nothing: it ran in a tmux of the user", { host: "tmux:/tmp/x" }, {}, "it ran in your own tmux; start it there"],
    ["nothing: a team's worker", { host: "team:demo" }, {}, "its team's leader starts workers"],
    [
      "nothing: its task has another terminal",
      { task: 7 },
      { task: { ...task, terminal: "t9" } },
      "its task runs in another terminal",
    ],
    ["no word: its task is completed", { task: 7 }, { task: { ...task, completedAt: 1 } }, undefined],
    ["no word: a person stopped it", { end: { kind: "stopped", by: "ann" } }, {}, undefined],
    ["no word: it ended", { end: { kind: "exited", code: 1 } }, {}, undefined],
    ["no word: it runs", { phase: "running" }, {}, undefined],
    ["a command, and why it waits", { held: "no" }, {}, { can: true, command: "paneward restore t3", reason: "no" }],
  ];
  for (const [what, record, around, expected] of table) {
    test(what, () => {
      const found = restoreOf({ ...lost, ...record }, { ...there, ...around });
      assert.deepEqual(found, typeof expected === "string" ? { can: false, reason: expected } : expected);
    });
  }
});

describe("what comes back without a person", () => {
  const table: readonly (readonly [string, Partial<TerminalRecord>, "ask" | "always" | "never", boolean])[] = [
    ["nothing, when a person is asked", {}, "ask", false],
    ["all, when that is wanted", {}, "always", true],
    ["a service, when a person is asked", { keepRunning: true }, "ask", true],
    ["a service, when nobody is told", { keepRunning: true }, "never", true],
    ["not what is held", { keepRunning: true, held: "no" }, "always", false],
    ["not what was stopped", { keepRunning: true, end: { kind: "stopped", by: "ann" } }, "always", false],
  ];
  for (const [what, record, policy, expected] of table)
    test(what, () => assert.equal(comesBack({ ...lost, ...record }, there, policy), expected));
  test("not without its folder", () => assert.equal(comesBack(lost, { ...there, hasFolder: false }, "always"), false));
});

describe("what takes the machine down at each start is not started forever", () => {
  test("lost again within ten minutes, it waits for a person", () => {
    const first = revived(lost, 1_000);
    assert.equal(first.held, undefined);
    assert.equal(afterLoss(first, 4_000).held, "it came back by itself and was lost again after 3 s");
    assert.equal(afterLoss(first, 1_000 + 10 * minute).held, undefined);
    assert.notEqual(afterLoss(first, -5_000).held, undefined, "the clock was set back");
    assert.equal(afterLoss(lost, 4_000).held, undefined, "a person had started it");
  });

  test("three tries in a row are the last, unless ten minutes pass", () => {
    const third = revived(revived(revived(lost, 0), minute), 2 * minute);
    assert.deepEqual([third.revival, third.held], [{ at: 2 * minute, tries: 3 }, undefined]);
    assert.match(revived(third, 3 * minute).held ?? "", /^it was started 3 times by itself within 10 minutes$/);
    assert.deepEqual(revived(third, 12 * minute).revival, { at: 12 * minute, tries: 1 });
  });

  test("a person's start begins a new count", () => {
    const { revival, held } = byPerson({ ...revived(lost, 0), held: "no" });
    assert.deepEqual([revival, held], [undefined, undefined]);
  });

  test("a start that the machine did not survive is not repeated, one that only the daemon did not survive is", () => {
    const begun = { ...lost, restoring: { at: 0, boot: "b1", resumes: false } };
    assert.match(afterInterruption(begun, "b2").held ?? "", /machine went down/);
    assert.deepEqual(afterInterruption(begun, "b1"), lost);
  });

  test("a failed start is reported, and is looked for again only if it may run", () => {
    const begun = { ...lost, restoring: { at: 0, boot: "b1", resumes: false } };
    assert.deepEqual(afterFailure(begun, "no such program", false), {
      ...lost,
      held: "the last try failed: no such program",
    });
    assert.deepEqual(afterFailure(begun, "silence", true).restoring, begun.restoring);
  });
});
