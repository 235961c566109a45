import assert from "node:assert/strict";
import { test } from "node:test";
import { Canvas } from "../../src/tui/draw/canvas.ts";
import { drawNeeds } from "../../src/tui/draw/draw-bars.ts";
import { sampleState } from "./support/sample-state.ts";

function drawn(restore: { readonly can: number; readonly cannot: number } | undefined, waits: boolean): string {
  const { view, ...state } = sampleState();
  const tasks = new Map([...view.tasks].filter(([, { status }]) => waits || status !== "Waiting"));
  const canvas = new Canvas(100, 1);
  const shown = { ...state, view: { ...view, restore, tasks, questions: waits ? view.questions : new Map() } };
  drawNeeds(canvas, { x: 0, y: 0, end: 100, bottom: 1 } as never, shown);
  return canvas.texts.map((line) => line.join("")).join("\n");
}

test("lost programs are offered while nothing needs the user", () => {
  assert.match(drawn({ can: 2, cannot: 0 }, false), /^ 2 lost programs can be restored: paneward restore --all *$/);
  assert.match(drawn({ can: 2, cannot: 0 }, true), /wants to run npm test/);
  assert.match(drawn({ can: 0, cannot: 3 }, false), /^ *$/);
  assert.match(drawn(undefined, false), /^ *$/);
});
