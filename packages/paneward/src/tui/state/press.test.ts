import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { emptyView, snapshot } from "@paneward/sdk/view";
import { choicesOf } from "./answer-keys.ts";
import type { Answer, Effect } from "./effects.ts";
import { keyTable } from "./keys.ts";
import { press } from "./press.ts";
import { answerArea, drawnLines, questionLines, questionRoom, screenToRead } from "./question-lines.ts";
import { refreshQuestion } from "./refresh-question.ts";
import { firstState, type State } from "./state.ts";

const why = { source: "output", rule: "no output for 1 s", since: 5 };
const question: Question = {
  id: "q1",
  terminal: "t1",
  kind: "permission",
  text: "Proceed?",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No", selected: true },
  ],
  freeText: true,
  proposal: { command: "npm test" },
  source: "screen",
  screenHash: "h",
  state: "open",
  openedAt: 1,
};

function stateOf(): State {
  const task = (id: number) => ({
    id,
    slug: `task-${id}`,
    root: "/shop",
    text: "x",
    agent: "claude",
    branch: "b",
    worktree: "/w",
    session: "s",
    terminal: `t${id}`,
    status: id === 1 ? ("Waiting" as const) : ("Idle" as const),
    why,
    createdAt: 1,
  });
  const view = snapshot(emptyView, {
    tasks: [task(1), task(2)],
    terminals: [],
    agents: [],
    questions: [question],
    lastEvent: 1,
  });
  return { ...firstState({ columns: 120, rows: 30 }, 10), view, selected: "task 1" };
}

function pressed(...keys: readonly string[]): { readonly state: State; readonly effects: readonly Effect[] } {
  return pressedFrom(stateOf(), ...keys);
}

function pressedFrom(first: State, ...keys: readonly string[]): ReturnType<typeof pressed> {
  let state = first;
  const effects: Effect[] = [];
  for (const key of keys) {
    const next = press(state, { kind: "key", key });
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

/** The lines of the question that are on the screen. */
function drawn(state: State): string {
  assert.ok(state.mode.kind === "answer");
  const { question: asked, top } = state.mode;
  const { rows, columns } = questionRoom(answerArea(state), choicesOf(asked));
  const lines = questionLines(asked, columns, screenToRead(asked, state));
  return drawnLines(lines, top, rows)
    .drawn.map(({ text }) => text)
    .join("\n");
}

describe("keys", () => {
  const call = (call: Extract<Effect, { kind: "call" }>["call"]) => [{ kind: "call", call }];
  const respond = (answer: Answer) => call({ operation: "respond", id: "1", question: "q1", answer });
  const cases: readonly (readonly [keys: readonly string[], effects: readonly unknown[]])[] = [
    [["Enter"], [{ kind: "attach", id: "1" }]],
    [["x"], call({ operation: "stop", id: "1" })],
    [["j", "s"], call({ operation: "start", id: "2" })],
    [["D", "n"], []],
    [["D", "y"], call({ operation: "rm", id: "1" })],
    [["u"], call({ operation: "undo" })],
    [["N", "h", "i", "Enter"], call({ operation: "new", root: "/shop", text: "hi", draft: false })],
    [["n", "h", "Escape"], []],
    [["t", "a", "Space", "b", "Enter"], call({ operation: "send", id: "1", text: "a b", command: false })],
    [[":", "/", "x", "Enter"], call({ operation: "send", id: "1", text: "/x", command: true })],
    [["a", "Enter"], respond({ option: 2 })],
    [["a", "1", "Enter"], respond({ option: 1 })],
    [["a", "Up", "Enter"], respond({ option: 1 })],
    [["a", "Down", "w", "h", "y", "1", "Enter"], respond({ text: "why1" })],
    [["a", "Down", "Enter"], []],
    [["a", "Escape", "a", "Escape"], []],
    [["j", "a"], []],
    [["j", "Tab", "x"], call({ operation: "stop", id: "1" })],
    [["/", "2", "Enter", "x"], call({ operation: "stop", id: "2" })],
    [["?", "q", "q"], [{ kind: "quit" }]],
    [["N", "C-c"], [{ kind: "quit" }]],
  ];
  for (const [keys, effects] of cases) {
    test(keys.join(" "), () => assert.deepEqual(pressed(...keys).effects, effects));
  }

  test("a permission is denied with words in their own line, which no letter opens by itself", () => {
    const options = [
      { number: 1, label: "Yes", does: "approve" as const },
      { number: 0, label: "No", does: "deny" as const },
    ];
    const before = stateOf();
    const view = { ...before.view, questions: new Map([["q1", { ...question, options, freeText: false }]]) };
    const keysGive = (...keys: readonly string[]) => pressedFrom({ ...before, view }, ...keys).effects;
    assert.deepEqual(keysGive("a", "y", "Enter"), respond({ option: 1 }));
    assert.deepEqual(keysGive("a", "n", "0", "Enter"), respond({ option: 0 }));
    assert.deepEqual(keysGive("a", "Down", "Down", "n", "o", "1", "Enter"), respond({ deny: "no1" }));
    assert.deepEqual(keysGive("a", "Down", "Down", "Enter"), []);
  });

  test("in a multiple choice, Space and numbers tick; without a tick there is no answer", () => {
    const several = { ...question, kind: "multi_choice" as const };
    const before = stateOf();
    const state = { ...before, view: { ...before.view, questions: new Map([["q1", several]]) } };
    const keysGive = (...keys: readonly string[]) => pressedFrom(state, ...keys).effects;
    assert.deepEqual(keysGive("a", "Enter"), []);
    assert.deepEqual(keysGive("a", "Space", "Enter"), respond({ several: [1] }));
    assert.deepEqual(keysGive("a", "1", "2", "Enter"), respond({ several: [0, 1] }));
    assert.deepEqual(keysGive("a", "1", "2", "1", "Enter"), respond({ several: [1] }));
    assert.deepEqual(keysGive("a", "Down", "b", "Space", "c", "Enter"), respond({ text: "b c" }));
  });

  test("what is not proved whole is allowed only where its screen is shown, and denied anywhere", () => {
    const part = { ...question, whole: false, doubt: "it shows 12 of 80 lines" };
    const before = stateOf();
    const blind = { ...before, view: { ...before.view, questions: new Map([["q1", part]]) } };
    const seen = { ...blind, live: { terminal: "t1", lines: ["$ npm test"] } };
    const refused = pressedFrom(blind, "a", "1", "Enter");
    assert.deepEqual([refused.effects, refused.state.message?.isFailure], [[], true]);
    assert.deepEqual(pressedFrom({ ...seen, live: { terminal: "t2", lines: [] } }, "a", "1", "Enter").effects, []);
    assert.deepEqual(pressedFrom({ ...seen, isListAlone: true }, "a", "1", "Enter").effects, []);
    assert.deepEqual(pressedFrom(blind, "a", "2", "Enter").effects, respond({ option: 2 }));
    const read = { operation: "respond", id: "1", question: "q1", answer: { option: 1 }, seenScreen: "h" } as const;
    assert.deepEqual(pressedFrom(seen, "a", "1", "Enter").effects, []);
    assert.deepEqual(pressedFrom(seen, "a", "1", "Enter", "n", "Escape").effects, []);
    assert.deepEqual(pressedFrom(seen, "a", "1", "y").effects, []);
    assert.deepEqual(pressedFrom(seen, "a", "1", "Enter", "y").effects, call(read));
    const shown = questionLines(part, 60, seen.live.lines).map(({ text }) => text);
    assert.deepEqual(shown.slice(-3), ["may be incomplete: it shows 12 of 80 lines", "its screen:", "$ npm test"]);
  });

  test("a screen longer than the panel begins at its end, and is allowed only when all of it was shown", () => {
    const options = [
      { number: 1, label: "Yes", selected: true },
      { number: 2, label: "No" },
    ];
    const part = { ...question, options, whole: false, doubt: "it shows 12 of 80 lines" };
    const before = stateOf();
    const lines = Array.from({ length: 97 }, (_, at) => `line ${at + 1}`);
    const view = { ...before.view, questions: new Map([["q1", part]]) };
    const state: State = { ...before, view, live: { terminal: "t1", lines } };
    const opened = pressedFrom(state, "a").state;
    assert.match(drawn(opened), /line 97$/m);
    assert.doesNotMatch(drawn(opened), /line 1$/m);
    assert.deepEqual(pressedFrom(opened, "Enter").effects, respond({ option: 2 }), "the denial is selected");
    const early = pressedFrom(opened, "1", "Enter", "y");
    assert.deepEqual(early.effects, []);
    assert.match(pressedFrom(opened, "1", "Enter").state.message?.text ?? "", /lines of it were not shown yet/);
    const up = new Array<string>(30).fill("PageUp");
    const asked = pressedFrom(opened, ...up, "1", "Enter").state;
    assert.match(asked.message?.text ?? "", /have you read all of it/);
    assert.deepEqual(pressedFrom(asked, "Enter").effects, []);
    const read = { operation: "respond", id: "1", question: "q1", answer: { option: 1 }, seenScreen: "h" } as const;
    assert.deepEqual(pressedFrom(asked, "y").effects, call(read));
    const more = { ...asked, live: { terminal: "t1", lines: [...lines, "&& rm -rf /srv"] } };
    assert.deepEqual(pressedFrom(more, "y").effects, [], "a line that came meanwhile was not shown");
    const other = new Map([["q1", { ...part, screenHash: "other" }]]);
    const changed = refreshQuestion({ ...asked, view: { ...view, questions: other } });
    assert.deepEqual(pressedFrom(changed, "y").effects, []);
    assert.deepEqual(pressedFrom(changed, "Enter", "y").effects, [], "another screen must be read again");
  });

  test("a long proposal scrolls within its bounds", () => {
    const long = {
      ...question,
      proposal: { command: Array.from({ length: 100 }, (_, at) => `step ${at}`).join("\n") },
    };
    const before = stateOf();
    const state = { ...before, view: { ...before.view, questions: new Map([["q1", long]]) } };
    const topAfter = (...keys: readonly string[]) => {
      const { mode } = pressedFrom(state, "a", ...keys).state;
      return mode.kind === "answer" ? mode.top : undefined;
    };
    assert.equal(topAfter("PageUp"), 0);
    assert.equal(topAfter("PageDown", "PageDown", "PageUp"), 5);
    const end = topAfter(...new Array<string>(60).fill("PageDown")) ?? 0;
    assert.ok(end > 50 && end < 101);
  });

  describe("an open question that changes meanwhile", () => {
    const looking = pressed("a", "Up").state;
    const after = (questions: readonly Question[]) =>
      refreshQuestion({
        ...looking,
        view: { ...looking.view, questions: new Map(questions.map((one) => [one.id, one])) },
      });
    test("gone: returns to the list with a message", () => {
      const state = after([]);
      assert.equal(state.mode.kind, "list");
      assert.match(state.message?.text ?? "", /answered elsewhere/);
    });
    test("updated: shows the new details and keeps the cursor on the same label", () => {
      const [yes, no] = question.options;
      assert.ok(yes && no);
      const options = [
        { ...no, number: 1 },
        { ...yes, number: 2 },
      ];
      const { mode } = after([{ ...question, options, proposal: { command: "rm -r build" } }]);
      assert.ok(mode.kind === "answer");
      assert.equal(mode.question.proposal?.command, "rm -r build");
      assert.equal(mode.question.options[mode.at]?.label, "Yes");
    });
  });

  test("a key has one meaning per mode", () => {
    const all = keyTable.flatMap(({ place, keys }) => keys.map((key) => `${place} ${key}`));
    assert.equal(new Set(all).size, all.length);
  });

  test("the selection survives row changes; if its row is gone, the next one is selected", () => {
    const before = pressed("j").state;
    assert.equal(before.selected, "task 2");
    const tasks = new Map([...before.view.tasks].filter(([id]) => id !== 2));
    const { state } = press({ ...before, view: { ...before.view, tasks } }, { kind: "key", key: "C-l" });
    assert.equal(state.selected, "task 1");
  });
});
