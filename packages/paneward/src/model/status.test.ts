import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { End } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "./records.ts";
import { type Attention, taskStatus, terminalStatus } from "./status.ts";

const task: TaskRecord = {
  id: 7,
  slug: "fix",
  root: "/repo",
  text: "fix it",
  agent: "claude",
  branch: "paneward/7-fix",
  worktree: "/worktrees/7-fix",
  draft: true,
  hasWorktree: false,
  createdAt: 1_000,
};

const running: TerminalRecord = {
  id: "t1",
  name: "fix",
  host: "local",
  argv: ["claude"],
  cwd: "/worktrees/7-fix",
  env: {},
  keep: true,
  columns: 200,
  rows: 50,
  session: "paneward-7-fix",
  journal: "/journals/t1",
  phase: "running",
  createdAt: 2_000,
  startedAt: 2_500,
};

const ended = (end: End): TerminalRecord => ({ ...running, phase: "ended", end, endedAt: 9_000 });
const says = (word: Attention["says"]): Attention => ({
  says: word,
  why: { source: "test", rule: word, since: 5_000 },
});

describe("the status of a task", () => {
  const worked = { ...task, draft: false, hasWorktree: true };
  const table: readonly (readonly [
    string,
    TaskRecord,
    TerminalRecord | undefined,
    Attention | undefined,
    string,
    string,
    isThere?: boolean,
  ])[] = [
    ["never started", task, undefined, undefined, "Draft", "daemon"],
    ["worktree, no terminal", worked, undefined, undefined, "Stopped", "git"],
    ["worktree removed by hand, no terminal", worked, undefined, undefined, "Draft", "git", false],
    [
      "worktree removed by hand, stopped before",
      worked,
      ended({ kind: "stopped", by: "uid:0" }),
      undefined,
      "Draft",
      "git",
      false,
    ],
    [
      "worktree removed by hand, exited",
      worked,
      ended({ kind: "exited", code: 0 }),
      undefined,
      "Exited",
      "exit",
      false,
    ],
    ["worktree removed by hand, running", worked, running, says("working"), "Running", "test", false],
    ["starting", worked, { ...running, phase: "starting" }, undefined, "Running", "daemon"],
    ["running, nothing known", worked, running, undefined, "Running", "tmux"],
    ["running, judge unsure", worked, running, says("unknown"), "Running", "tmux"],
    ["working", worked, running, says("working"), "Running", "test"],
    ["idle", worked, running, says("idle"), "Idle", "test"],
    ["asks a question", worked, running, says("needs_input"), "Waiting", "test"],
    ["exited with 0", worked, ended({ kind: "exited", code: 0 }), says("idle"), "Exited", "exit"],
    ["exited with 3", worked, ended({ kind: "exited", code: 3 }), undefined, "Exited", "exit"],
    ["killed", worked, ended({ kind: "killed", signal: 9 }), says("working"), "Exited", "exit"],
    ["ended, nobody knows how", worked, ended({ kind: "unknown" }), undefined, "Exited", "exit"],
    ["stopped by a person", worked, ended({ kind: "stopped", by: "uid:0" }), undefined, "Stopped", "person"],
    ["its server is gone", worked, ended({ kind: "lost", reason: "gone" }), undefined, "Lost", "tmux"],
    ["complete, whatever runs", { ...worked, completedAt: 8_000 }, running, says("working"), "Completed", "person"],
    [
      "complete and exited",
      { ...worked, completedAt: 8_000 },
      ended({ kind: "exited", code: 1 }),
      undefined,
      "Completed",
      "person",
    ],
  ];
  for (const [name, record, terminal, attention, status, source, isThere = true] of table) {
    test(`${name} is ${status}`, () => {
      const judged = taskStatus(record, terminal, attention, isThere);
      assert.deepEqual([judged.status, judged.why.source], [status, source]);
    });
  }
});

test("a terminal says with which code or signal it ended, and since when", () => {
  const { status, why } = terminalStatus(ended({ kind: "killed", signal: 15 }), undefined);
  assert.deepEqual([status, why.rule, why.since], ["Exited", "the program was killed by signal 15", 9_000]);
});
