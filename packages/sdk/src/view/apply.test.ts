import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  agent,
  event,
  question,
  task,
  teamTask,
  teamWorker,
  terminal,
  thread,
  viewOf,
} from "../../test/support/view-samples.ts";
import { eventTypes } from "../event-table.ts";
import type { EventData, EventType } from "../events.ts";
import { apply } from "./apply.ts";
import type { View } from "./view.ts";

const before = viewOf({
  tasks: [task(1, "Running", { terminal: "t1" })],
  terminals: [terminal("t2", "Running")],
  agents: [agent("a1", { terminal: "t1", task: 1 })],
  questions: [question("q0", "t2")],
});
const notice = { notice: "n1", kind: "question", channel: "phone", task: 1, question: "q1" } as const;
const why = { source: "screen", rule: "a question", since: 7 };

/**
 * What each event changes on task 1, terminal t2, agent a1 and the open questions, and whether the view becomes stale.
 */
const cases: { readonly [Type in EventType]: readonly [EventData[Type], ...Check[]] } = {
  terminal_opened: [
    { terminal: "t2", name: "t2", argv: ["x"], cwd: "/", restarted: true },
    (view) => view.terminals.get("t2")?.status === "Running",
    asks("now"),
  ],
  terminal_closed: [
    { terminal: "t2", name: "t2", end: { kind: "exited", code: 3 } },
    (view) => view.terminals.get("t2")?.why.rule === "the program exited with code 3",
    (view) => view.terminals.get("t2")?.endedAt === 1_001,
    asks(undefined),
  ],
  terminal_status_changed: [
    { terminal: "t2", name: "t2", status: "Waiting", before: "Running", why },
    (view) => view.terminals.get("t2")?.why === why,
  ],
  terminal_removed: [{ terminal: "t2", name: "t2" }, (view) => !view.terminals.has("t2")],
  task_created: [{ task: 2, slug: "b", root: "/r", agent: "claude", draft: true }, asks("now")],
  task_started: [{ task: 1, slug: "a", terminal: "t9" }, (view) => view.tasks.get(1)?.terminal === "t9"],
  task_progress: [
    { task: 1, slug: "a", stage: "setup", text: "npm ci" },
    (view) => view.progress.get(1) === "npm ci",
    asks("soon"),
  ],
  task_status_changed: [
    { task: 1, slug: "a", status: "Idle", before: "Running", why },
    (view) => view.tasks.get(1)?.status === "Idle",
    asks("soon"),
  ],
  task_stopped: [{ task: 1, slug: "a", by: "uid:0" }, (view) => view.tasks.get(1)?.status === "Stopped"],
  task_exited: [
    { task: 1, slug: "a", end: { kind: "killed", signal: 9 } },
    (view) => view.tasks.get(1)?.why.rule === "the program was killed by signal 9",
  ],
  task_lost: [{ task: 1, slug: "a", reason: "no server" }, (view) => view.tasks.get(1)?.status === "Lost"],
  task_completed: [{ task: 1, slug: "a", by: "uid:0" }, (view) => view.tasks.get(1)?.status === "Completed"],
  task_merged: [{ task: 1, slug: "a", base: "main", commits: 1 }, asks("soon")],
  task_reset: [{ task: 1, slug: "a" }, (view) => view.tasks.get(1)?.terminal === undefined, asks("soon")],
  task_removed: [{ task: 1, slug: "a" }, (view) => !view.tasks.has(1), asks(undefined)],
  task_restored: [{ task: 1, slug: "a" }, asks("now")],
  task_notified: [{ task: 1, slug: "a", count: 1 }, asks(undefined)],
  task_needs_input: [
    { task: 1, slug: "a", question: "q1", text: "go on?" },
    (view) => view.tasks.get(1)?.status === "Waiting" && view.tasks.get(1)?.why.rule === "go on?",
  ],
  task_disappeared: [{ task: 1, slug: "a" }, asks("now")],
  question_opened: [{ question: question("q1", "t1") }, (view) => view.questions.size === 2],
  question_changed: [
    { question: { ...question("q0", "t2"), text: "sure?" } },
    (view) => view.questions.get("q0")?.text === "sure?" && view.questions.size === 1,
  ],
  question_closed: [{ question: question("q0", "t2"), by: "uid:0" }, (view) => view.questions.size === 0],
  session_created: [{ agent: "a2", name: "claude", kind: "claude", tmux_pane_id: "%1", adopted: true }, asks("now")],
  session_ended: [{ agent: "a1", name: "a1", reason: "exit" }, (view) => view.agents.get("a1")?.endedAt === 1_001],
  state_changed: [
    { agent: "a1", name: "a1", state: "awaiting_input", before: "idle" },
    (view) => view.agents.get("a1")?.state === "awaiting_input",
  ],
  turn_created: [
    { turn: { id: "n1", agent: "a1", actor: "user", intent: "command", text: "hi", at: 1 } },
    asks(undefined),
  ],
  commander_availability: [
    { agent_id: "a1", available: true, timestamp: 1 },
    (view) => view.agents.get("a1")?.commander_available === true,
  ],
  restore_offered: [{ can: 2, cannot: 0 }, asks("now")],
  sessions_changed: [{ reason: "the daemon started" }, asks("now")],
  tasks_changed: [{ reason: "asked for" }, asks("now")],
  focus_changed: [{ id: "1" }, asks(undefined)],
  trust_changed: [{ root: "/repo", trusted: true, by: "ann" }, asks(undefined)],
  delivery_updated: [{ delivery: "d1", terminal: "t1", state: "typed" }, asks(undefined)],
  host_changed: [{ host: "local", state: "spawn", reason: "x" }, asks(undefined)],
  storage_changed: [{ state: "full", reason: "x" }, asks(undefined)],
  thread_started: [{ thread }, asks(undefined)],
  thread_message: [
    { thread: "thread-0001", team: "demo", title: "Thread", message: "msg-1", from: "ann", summary: "hello" },
    asks(undefined),
  ],
  team_task_changed: [{ task: teamTask, change: "task_claimed", by: "ann" }, asks(undefined)],
  team_worker_changed: [{ worker: teamWorker, change: "started" }, asks(undefined)],
  notice_queued: [notice, asks(undefined)],
  notice_sent: [notice, asks(undefined)],
  notice_delivered: [notice, asks(undefined)],
  notice_failed: [{ ...notice, reason: "answered with 401" }, asks(undefined)],
  notice_unknown: [{ ...notice, reason: "no answer within 15 s" }, asks(undefined)],
  notice_withdrawn: [{ ...notice, reason: "answered by uid:0" }, asks(undefined)],
  notice_tapped: [{ ...notice, outcome: "answered", words: "Answered: Yes" }, asks(undefined)],
};

type Check = (view: View) => boolean;

function asks(when: "now" | "soon" | undefined): Check {
  return (view) => view.stale?.when === when;
}

describe("an event changes its subject", () => {
  for (const type of eventTypes) {
    test(type, () => {
      const [data, ...checks] = cases[type] as readonly [EventData[EventType], ...Check[]];
      const after = apply(before, event(before.lastEvent + 1, type, data));
      for (const check of checks) assert.ok(check(after), `${check} does not hold for ${JSON.stringify(after.stale)}`);
      assert.equal(after.lastEvent, before.lastEvent + 1);
    });
  }
});

describe("delivery out of order", () => {
  const idle = event(2, "task_status_changed", { task: 1, slug: "a", status: "Idle", before: "Running", why });
  const waiting = event(3, "task_status_changed", { task: 1, slug: "a", status: "Waiting", before: "Idle", why });

  test("replaying an event is idempotent", () => {
    const once = apply(before, idle);
    assert.equal(apply(once, idle), once);
  });

  test("a late event undoes nothing, and makes the view stale", () => {
    const after = apply(apply(before, waiting), idle);
    assert.equal(after.tasks.get(1)?.status, "Waiting");
    assert.equal(after.stale?.when, "now");
  });

  test("a gap is skipped, and makes the view stale", () => {
    const after = apply(before, { type: "gap", after: 1, before: 40 });
    assert.deepEqual([after.lastEvent, after.stale?.when], [40, "now"]);
  });

  test("event numbers may start over", () => {
    const after = apply(apply(before, { type: "gap", after: 1, before: 0 }), { ...idle, seq: 1 });
    assert.equal(after.tasks.get(1)?.status, "Idle");
  });

  test("an unknown event type changes only the event number", () => {
    const unknown = { ...idle, type: "toString" as "task_notified", data: {} as never };
    assert.deepEqual(apply(before, unknown).tasks, before.tasks);
    assert.equal(apply(before, unknown).lastEvent, 2);
  });

  test("a completed task stays completed when its agent ends", () => {
    const done = apply(before, event(2, "task_completed", { task: 1, slug: "a", by: "me" }));
    const after = apply(done, event(3, "task_exited", { task: 1, slug: "a", end: { kind: "exited", code: 0 } }));
    assert.equal(after.tasks.get(1)?.status, "Completed");
  });
});
