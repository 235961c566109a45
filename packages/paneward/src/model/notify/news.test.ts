import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EventData, EventType, PanewardEvent, Question } from "@paneward/sdk";
import { type News, newsOf } from "./news.ts";

const lookup = {
  task: (id: number) => ({ task: id, name: "fix-login", project: "/work/shop", agent: "claude", terminal: "t1" }),
  terminal: (id: string) => ({ terminal: id, name: "build" }),
};
const question = { id: "q1", terminal: "t1", task: 3 } as Question;
const why = { source: "screen", rule: "r", since: 1 };
const ofTask = { task: 3, slug: "fix-login" };
const ofTerminal = { terminal: "t2", name: "build" };

const cases: readonly (readonly [string, { readonly [Type in EventType]?: EventData[Type] }, readonly string[]])[] = [
  ["a question", { question_opened: { question } }, ["question: question q1 (fix-login asks)"]],
  ["one that changed", { question_changed: { question } }, ["changed question q1"]],
  ["one that was answered", { question_closed: { question, by: "answered by uid:0" } }, ["answered question q1"]],
  ["one that went away", { question_closed: { question, by: "the program continued" } }, ["over question q1"]],
  [
    "a task that failed",
    { task_exited: { ...ofTask, end: { kind: "exited", code: 3 } } },
    [allOver("task 3"), "failed: end task 3 (fix-login failed with code 3)"],
  ],
  [
    "a task that finished",
    { task_exited: { ...ofTask, end: { kind: "exited", code: 0 } } },
    [allOver("task 3"), "finished: end task 3 (fix-login finished)"],
  ],
  [
    "a task that is lost",
    { task_lost: { ...ofTask, reason: "x" } },
    [allOver("task 3"), "failed: end task 3 (fix-login is lost: x)"],
  ],
  [
    "programs that can be restored",
    { restore_offered: { can: 2, cannot: 1 } },
    ["away: restore (2 programs were lost and can be restored: paneward restore --all; 1 cannot)"],
  ],
  ["none that can be restored any more", { restore_offered: { can: 0, cannot: 1 } }, ["over restore"]],
  ["a task that was stopped", { task_stopped: { ...ofTask, by: "uid:0" } }, [allOver("task 3")]],
  ["a task that runs again", { task_started: { ...ofTask, terminal: "t1" } }, [allOver("task 3")]],
  [
    "a program that ended",
    { terminal_closed: { ...ofTerminal, end: { kind: "killed", signal: 9 } } },
    [allOver("t2"), "ended: end t2 (build was killed by signal 9)"],
  ],
  [
    "a program that was stopped",
    { terminal_closed: { ...ofTerminal, end: { kind: "stopped", by: "uid:0" } } },
    [allOver("t2")],
  ],
  [
    "an agent at its quota",
    { task_status_changed: { ...ofTask, status: "Idle", before: "Running", why: { ...why, detail: "quota_reached" } } },
    [
      "over login_expired task 3, stuck task 3, idle task 3",
      "quota: quota_reached task 3 (fix-login has reached its quota)",
    ],
  ],
  [
    "an agent that is done",
    { task_status_changed: { ...ofTask, status: "Idle", before: "Running", why } },
    [
      "over quota_reached task 3, login_expired task 3, stuck task 3",
      "idle: idle task 3 (fix-login is done, and waits for the next prompt)",
    ],
  ],
  [
    "an agent that works again",
    { task_status_changed: { ...ofTask, status: "Running", before: "Idle", why } },
    ["over quota_reached task 3, login_expired task 3, stuck task 3, idle task 3"],
  ],
  [
    "a host that is away",
    { host_changed: { host: "box", state: "spawn", reason: "" } },
    ["away: host box (box has lost its connection)"],
  ],
  ["the tmux server here", { host_changed: { host: "local", state: "spawn", reason: "" } }, []],
  ["a host that is back", { host_changed: { host: "box", state: "control", reason: "" } }, ["over host box"]],
  ["what tells nothing", { tasks_changed: { reason: "asked for" } }, []],
];

function allOver(of: string): string {
  return `over ${["end", "quota_reached", "login_expired", "stuck", "idle"].map((word) => `${word} ${of}`).join(", ")}`;
}

function words(news: News): string {
  if (news.kind === "changed") return `changed ${news.key}`;
  if (news.kind === "over") return `${news.answered ? "answered" : "over"} ${news.keys.join(", ")}`;
  const { kind, key, subject, words: what } = news.fact;
  return `${kind}: ${key} (${subject.name} ${what})`;
}

describe("what an event means for notices", () => {
  for (const [name, event, expected] of cases) {
    test(name, () => {
      const [[type, data]] = Object.entries(event) as [[string, unknown]];
      assert.deepEqual(newsOf({ seq: 1, at: 1, type, data } as PanewardEvent, lookup).map(words), expected);
    });
  }
});
