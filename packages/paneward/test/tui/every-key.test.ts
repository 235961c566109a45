import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Effect } from "../../src/tui/state/effects.ts";
import { type Key, keyTable } from "../../src/tui/state/keys.ts";
import { lineOf } from "../../src/tui/state/line-editor.ts";
import { press } from "../../src/tui/state/press.ts";
import { listMode, type Mode, type Pages, type State } from "../../src/tui/state/state.ts";
import { sampleState } from "./support/sample-state.ts";

interface Pressed {
  readonly state: State;
  readonly effects: readonly Effect[];
}

type Case = readonly [before: State, check: (after: Pressed) => unknown, expected: unknown];

const list = sampleState();
const on = (selected: string) => press({ ...list, selected }, { kind: "key", key: "C-l" }).state;
const keyed = (state: State, ...keys: readonly string[]) =>
  keys.reduce((before, key) => press(before, { kind: "key", key }).state, state);
const asked = keyed(on("task 1"), "a");
const several = withQuestion({ kind: "multi_choice" });
const long = withQuestion({ proposal: { command: Array.from({ length: 99 }, (_, at) => `step ${at}`).join("\n") } });
const unproved: State = { ...withQuestion({ whole: false }), live: { terminal: "t1", lines: ["$ ls"] } };
const lines = Array.from({ length: 200 }, (_, at) => (at % 50 === 0 ? `found ${at}` : `line ${at}`));
const page: Pages = {
  ...{ kind: "pages", of: "journal", title: "1 a", lines, top: 75 },
  ...{ search: undefined, isTyped: false },
};
const pages: State = { ...list, mode: page };
const searched: State = { ...list, mode: { ...page, search: lineOf("found") } };
const many: State = { ...on("task 5"), size: { columns: 160, rows: 12 } };

const selected = ({ state }: Pressed) => state.selected;
const effects = (after: Pressed) => after.effects;
const mode = ({ state }: Pressed) => state.mode.kind;
const operation = ({ effects: [effect] }: Pressed) =>
  effect?.kind === "call" ? `${effect.call.operation} ${"id" in effect.call ? effect.call.id : ""}`.trim() : effect;
const answerAt = ({ state }: Pressed) => (state.mode.kind === "answer" ? state.mode.at : undefined);
const top = ({ state }: Pressed) => (state.mode.kind === "pages" ? state.mode.top : undefined);
const rows = 37;

/** For each row of the key table: a state, what to check after the key, and the expected value. */
const cases: Readonly<Record<string, Case>> = {
  "list answer": [on("task 1"), mode, "answer"],
  "list next-need": [on("task 5"), selected, "task 1"],
  "list attach": [on("task 5"), effects, [{ kind: "attach", id: "5" }]],
  "list start": [on("task 3"), operation, "start 3"],
  "list send": [on("task 5"), ({ state }) => state.mode.kind === "write" && state.mode.title, "to 5 a-Idle"],
  "list command": [on("task 5"), ({ state }) => state.mode.kind === "write" && state.mode.title, "command to 5 a-Idle"],
  "list journal": [on("task 1"), effects, [{ kind: "journal", id: "t1", title: "1 a-Waiting" }]],
  "list diff": [on("task 5"), effects, [{ kind: "diff", id: "5", title: "5 a-Idle" }]],
  "list stop": [on("task 5"), operation, "stop 5"],
  "list restart": [on("terminal t9"), operation, "restart t9"],
  "list merge": [on("task 5"), operation, "merge 5"],
  "list complete": [on("task 3"), operation, "complete 3"],
  "list remove": [on("task 5"), mode, "confirm"],
  "list undo": [list, operation, "undo"],
  "list shell": [on("task 5"), effects, [{ kind: "shell", id: "5" }]],
  "list edit": [on("task 5"), effects, [{ kind: "edit", id: "5" }]],
  "list new": [on("task 5"), ({ state }) => state.mode.kind === "write" && state.mode.purpose, "new"],
  "list new-and-start": [on("task 5"), ({ state }) => state.mode.kind === "write" && state.mode.id, "/shop"],
  "list needs-me": [list, ({ state }) => state.arrangement.needsMe, true],
  "list filter": [list, mode, "filter"],
  "list widen": [list, ({ state }) => state.isListAlone, true],
  "list sort": [list, ({ state }) => state.arrangement.sort, "number"],
  "list completed": [list, ({ state }) => state.arrangement.completed, true],
  "list log": [list, ({ state }) => state.logShown, false],
  "list log-more": [list, ({ state }) => state.logRows, list.logRows + 2],
  "list log-less": [list, ({ state }) => state.logRows, list.logRows - 2],
  "list down": [on("task 4"), selected, "task 5"],
  "list up": [on("task 5"), selected, "task 4"],
  "list page-down": [many, selected, "terminal t9"],
  "list page-up": [many, selected, "task 1"],
  "list first": [on("task 5"), selected, "task 1"],
  "list last": [on("task 5"), selected, "terminal t9"],
  "list clear": [keyed(list, "/", "x", "Enter", "f"), ({ state }) => state.arrangement, list.arrangement],
  "list redraw": [list, effects, [{ kind: "redraw" }]],
  "list help": [list, ({ state }) => state.mode.kind === "pages" && state.mode.title, "Keys"],
  "list suspend": [list, effects, [{ kind: "suspend" }]],
  "list quit": [list, effects, [{ kind: "quit" }]],
  "answer option-up": [asked, answerAt, 2],
  "answer option-down": [asked, answerAt, 1],
  "answer tick": [several, ({ state }) => state.mode.kind === "answer" && state.mode.ticked, [1]],
  "answer proposal-down": [long, ({ state }) => state.mode.kind === "answer" && state.mode.top, 5],
  "answer proposal-up": [keyed(long, "PageDown"), ({ state }) => state.mode.kind === "answer" && state.mode.top, 0],
  "answer give": [asked, operation, "respond 1"],
  "answer has-read": [keyed(unproved, "1", "Enter"), operation, "respond 1"],
  "answer leave": [asked, mode, "list"],
  "write accept": [keyed(on("task 5"), "t", "h", "i"), operation, "send 5"],
  "write leave": [keyed(on("task 5"), "t", "h", "i"), mode, "list"],
  "filter accept": [keyed(list, "/", "x"), ({ state }) => [state.mode.kind, state.arrangement.filter], ["list", "x"]],
  "filter leave": [keyed(list, "/", "x"), ({ state }) => state.arrangement.filter, ""],
  "confirm accept": [keyed(on("task 5"), "D"), operation, "rm 5"],
  "confirm leave": [keyed(on("task 5"), "D"), mode, "list"],
  "pages scroll-down": [pages, top, 76],
  "pages scroll-up": [pages, top, 74],
  "pages scroll-page-down": [pages, top, 75 + rows - 1],
  "pages scroll-page-up": [pages, top, 75 - rows + 1],
  "pages scroll-first": [pages, top, 0],
  "pages scroll-last": [pages, top, 200 - rows],
  "pages search": [pages, ({ state }) => state.mode.kind === "pages" && state.mode.isTyped, true],
  "pages search-next": [searched, top, 100],
  "pages search-before": [searched, top, 50],
  "pages leave": [pages, mode, "list"],
};

describe("every key of the table has its effect", () => {
  for (const { place, does, keys } of keyTable as readonly Key[]) {
    const [before, check, expected] = cases[`${place} ${does}`] ?? [];
    for (const key of keys) {
      test(`${place}: ${key}`, () => {
        assert.ok(before && check, "this key has no case");
        assert.equal(before.mode.kind, place);
        assert.notDeepEqual(check({ state: before, effects: [] }), expected, "it already held before the key");
        assert.deepEqual(check(press(before, { kind: "key", key })), expected);
      });
    }
  }

  test("there is no case for a removed key", () => {
    const known = (keyTable as readonly Key[]).map(({ place, does }) => `${place} ${does}`);
    assert.deepEqual(Object.keys(cases).toSorted(), known.toSorted());
  });
});

function withQuestion(part: Partial<Extract<Mode, { kind: "answer" }>["question"]>): State {
  const [question] = list.view.questions.values();
  assert.ok(question);
  const questions = new Map([[question.id, { ...question, ...part }]]);
  return keyed({ ...on("task 1"), view: { ...list.view, questions }, mode: listMode }, "a");
}
