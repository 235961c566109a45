import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyView, snapshot } from "@paneward/sdk/view";
import { clampSelection, listed, selectedRow } from "./lines.ts";
import { firstState, type State } from "./state.ts";

const tableRows = 8;

/** Thirty tasks, of which one waits for a person and so is the first row. */
function listOf(status: "Waiting" | "Running", before?: State): State {
  const task = (id: number) => ({
    ...{ id, slug: `task-${id}`, root: "/shop", text: "x", agent: "claude", branch: "b", worktree: "/w" },
    ...{ session: "s", terminal: `t${id}`, createdAt: id },
    status: id === 30 ? status : ("Running" as const),
    why: { source: "screen", rule: "it asks", since: id },
  });
  const tasks = Array.from({ length: 30 }, (_, at) => task(at + 1));
  const view = snapshot(emptyView, { tasks, terminals: [], agents: [], questions: [], lastEvent: 1 });
  return { ...(before ?? { ...firstState({ columns: 120, rows: 30 }, 40), selected: "task 30" }), view };
}

test("a row that was answered stays selected and visible, wherever it moves in the list", () => {
  const lineOf = (state: State) =>
    listed(state).lines.findIndex((line) => line.kind === "row" && line.row.key === "task 30");
  const asking = clampSelection(listOf("Waiting"), tableRows);
  const answered = clampSelection(listOf("Running", asking), tableRows);
  assert.notEqual(lineOf(answered), lineOf(asking), "it moves");
  for (const state of [asking, answered]) {
    assert.equal(selectedRow(state)?.id, "30");
    const shown = lineOf(state) - state.top;
    assert.ok(shown >= 0 && shown < tableRows, `it is in row ${shown} of ${tableRows}`);
  }
});
