import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EventData } from "../events.ts";
import { eventWords } from "./event-words.ts";

const of = { task: 12, slug: "fix-login" };
const why = { source: "screen", rule: "a prompt", since: 1 };

describe("an event in words", () => {
  const table: { readonly [Type in keyof EventData]?: readonly [EventData[Type], string] } = {
    task_started: [{ ...of, terminal: "t3" }, "task 12 fix-login runs in t3"],
    task_status_changed: [
      { ...of, before: "Running", status: "Waiting", why },
      "task 12 fix-login Running → Waiting: a prompt",
    ],
    task_exited: [{ ...of, end: { kind: "exited", code: 3 } }, "task 12 fix-login: the program exited with code 3"],
    task_merged: [{ ...of, base: "main", commits: 1 }, "task 12 fix-login: 1 commit into main"],
    task_removed: [
      { ...of, rescue: "refs/paneward/rescue/x" },
      "task 12 fix-login is removed; its work is kept under refs/paneward/rescue/x",
    ],
    terminal_opened: [
      { terminal: "t3", name: "web", argv: ["npm", "start"], cwd: "/", restarted: true },
      "t3 web runs again npm start",
    ],
    delivery_updated: [
      { delivery: "d1", terminal: "t3", state: "held", reason: "copy mode" },
      "to t3: held, copy mode",
    ],
    commander_availability: [{ agent_id: "a1", available: false, timestamp: 1 }, "a1 cannot be answered"],
  };
  for (const [type, [data, words]] of Object.entries(table)) {
    test(type, () => assert.equal(eventWords(type, data), words));
  }

  test("of an unknown type, or with missing fields, is shown as JSON", () => {
    assert.equal(eventWords("from_the_future", { a: 1 }), '{"a":1}');
    assert.equal(eventWords("terminal_opened", { terminal: "t3" }), '{"terminal":"t3"}');
  });
});
