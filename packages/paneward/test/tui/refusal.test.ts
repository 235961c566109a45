import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Row, rowsOf } from "@paneward/sdk/view";
import { offeredKeys } from "../../src/tui/state/offered-keys.ts";
import { type Access, localAccess } from "../../src/tui/state/state.ts";
import { sampleState } from "./support/sample-state.ts";

const state = sampleState();
const rowOf = (key: string): Row => rowsOf(state.view).find((row) => row.key === key) ?? assert.fail(key);
const offered = (row: Row | undefined, access: Partial<Access> = {}) =>
  offeredKeys({ ...state, access: { ...localAccess, ...access } }, row)
    .map(([key]) => key)
    .join(" ");
const foreign = (row: Row): Row => ({ ...row, kind: "terminal", adopted: true, terminal: "t1" });

describe("the help bar offers only allowed keys", () => {
  const away = { address: "http://box:1", isHere: false } as const;
  const cases: readonly (readonly [name: string, row: Row | undefined, access: Partial<Access>, keys: string])[] = [
    ["nothing selected", undefined, {}, "Tab N / w ? q"],
    ["a question", rowOf("task 1"), {}, "a Tab Enter t l d x m D N / w ! e ? q"],
    ["a draft", rowOf("task 2"), {}, "Tab Enter s c D N / w ? q"],
    ["stopped", rowOf("task 3"), {}, "Tab Enter s d r m c D N / w ! e ? q"],
    ["a terminal that ended", rowOf("terminal t9"), {}, "Tab l r D N / w ? q"],
    ["an agent in the user's own tmux", foreign(rowOf("task 1")), {}, "a Tab Enter t l N / w ? q"],
    ["an ended agent in the user's own tmux", foreign(rowOf("task 6")), {}, "Tab D N / w ? q"],
    ["scope read", rowOf("task 1"), { scope: "read" }, "Tab l d / w ! e ? q"],
    ["scope send", rowOf("task 1"), { scope: "send" }, "Tab Enter t l d x D N / w ! e ? q"],
    ["scope approve", rowOf("task 1"), { scope: "approve" }, "a Tab Enter t l d x m D N / w ! e ? q"],
    ["another machine", rowOf("task 1"), away, "a Tab t l d x m D N / w ? q"],
    ["another machine, no project", rowOf("terminal t9"), away, "Tab l r D / w ? q"],
    ["another machine, scope read", rowOf("task 1"), { ...away, scope: "read" }, "Tab l d / w ? q"],
  ];
  for (const [name, row, access, keys] of cases) test(name, () => assert.equal(offered(row, access), keys));
});
