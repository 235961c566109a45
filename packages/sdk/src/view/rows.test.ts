import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agent, question, task, terminal, viewOf } from "../../test/support/view-samples.ts";
import { type Arrangement, countsOf, groupsOf, plainArrangement } from "./groups.ts";
import { type Row, rowsOf } from "./rows.ts";
import { needWords, reasonOf } from "./words.ts";

const view = viewOf({
  tasks: [
    task(2, "Running", { slug: "add-search", terminal: "t2" }),
    task(10, "Waiting", { slug: "fix-login", terminal: "t10" }),
    task(3, "Completed", { slug: "old" }),
    task(4, "Idle", { slug: "blog", root: "/home/me/blog", agent: "codex" }),
    task(5, "Exited", { slug: "more", root: "/code/shop", end: { kind: "exited", code: 2 } }),
  ],
  terminals: [
    terminal("t20", "Running", { name: "dev", cwd: "/home/me/shop/web" }),
    terminal("t21", "Running", { name: "top", cwd: "/tmp" }),
  ],
  agents: [agent("a1", { terminal: "t10", task: 10 }), agent("a2", { adopted: true, tmux_pane_id: "%3", cwd: "/x" })],
  questions: [
    question("q1", "t10", {
      kind: "permission",
      text: "Do you want to proceed?",
      proposal: { tool: "Bash", command: "npm test" },
    }),
  ],
});

const shown = (arrangement: Partial<Arrangement> = {}) =>
  groupsOf(rowsOf(view), { ...plainArrangement, ...arrangement }).map(
    ({ name, rows }) => `${name}: ${rows.map((row) => row.id).join(" ")}`,
  );

describe("rows", () => {
  const arrangements: readonly (readonly [string, Partial<Arrangement>, readonly string[]])[] = [
    ["by project, attention first", {}, ["me/shop: 10 2 t20", "blog: 4", "code/shop: 5", "terminals: t21 a2"]],
    ["in numerical order", { sort: "number", filter: "me/shop" }, ["me/shop: 2 10 t20"]],
    ["by name", { sort: "name", filter: "shop", completed: true }, ["me/shop: 2 t20 10 3", "code/shop: 5"]],
    ["by status", { sort: "status", filter: "me/shop", completed: true }, ["me/shop: 10 2 t20 3"]],
    ["only those that need a person", { needsMe: true }, ["me/shop: 10"]],
    ["only those with every word, ignoring case", { filter: "CODEX blo" }, ["blog: 4"]],
    ["as an empty list if nothing matches", { filter: "zzz" }, []],
  ];
  for (const [name, arrangement, expected] of arrangements) {
    test(`are shown ${name}`, () => assert.deepEqual(shown(arrangement), expected));
  }

  test("are counted", () => {
    assert.deepEqual(countsOf(rowsOf(view)), { all: 8, needMe: 1, running: 3, idle: 2, ended: 1 });
  });

  test("combine an agent and its terminal, also while only the agent is listed", () => {
    const early = viewOf({ agents: [agent("a7", { terminal: "t7", state: "awaiting_input" })] });
    assert.deepEqual(rowsOf(early), []);
  });

  test("have their question and their agent", () => {
    const row = rowsOf(view).find(({ id }) => id === "10");
    assert.deepEqual([row?.question?.id, row?.agentId, row?.needsMe], ["q1", "a1", true]);
  });
});

describe("reasons for people", () => {
  const of = (id: string): Row => rowsOf(view).find((row) => row.id === id) ?? assert.fail(`no row ${id}`);
  const blocked = { ...of("4"), why: { source: "screen", rule: "r", since: 1, detail: "quota_reached" as const } };
  const choice = question("q", "t", { kind: "choice", text: "Which one?\nmore" });

  const reasons: readonly (readonly [Row, string])[] = [
    [of("10"), "npm test"],
    [of("5"), "failed with code 2"],
    [of("4"), "no output for 1 s"],
    [blocked, "has reached its quota"],
    [{ ...of("2"), status: "Draft", progress: "npm ci" }, "npm ci"],
  ];
  for (const [row, reason] of reasons) test(reason, () => assert.equal(reasonOf(row), reason));

  const needs: readonly (readonly [Row, string])[] = [
    [of("10"), "10 fix-login wants to run npm test"],
    [{ ...of("10"), question: choice }, "10 fix-login asks you to choose: Which one?"],
    [{ ...of("10"), question: undefined }, "10 fix-login waits for you"],
    [blocked, "4 blog has reached its quota"],
  ];
  for (const [row, words] of needs) test(words, () => assert.equal(needWords(row), words));
});
