import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assignNumbers } from "./workspace-numbers.ts";
import { type PaneListing, parseListing, workspaceOf } from "./workspace-rows.ts";

/** A row as tmux lists it; panes made by hand have no numbers. */
function row(fields: {
  readonly pane: string;
  readonly window?: string;
  readonly at?: readonly [number, number];
  readonly next?: number;
  readonly number?: number;
  readonly nextPane?: number;
  readonly address?: string;
}): PaneListing {
  const { pane, window = "@1", at = [0, 0], next = "", number = "", nextPane = "", address = "" } = fields;
  return parseListing(
    [
      ...[pane, 100, window, "$1", at[0], at[1], 1, 1, 0, "", "", 80, 24, 0],
      ...[next, number, nextPane, address, "/j", "2025-01-24T10:30:00Z", "layout", "name", "title", "/start", "/now"],
    ].join("\t"),
  );
}

describe("numbers", () => {
  test("are unchanged if everything has one", () => {
    assert.equal(assignNumbers([row({ pane: "%1", next: 1, number: 0, nextPane: 1, address: "0.0" })]), undefined);
  });

  test("follow tmux's indexes in a session made by hand", () => {
    const made = assignNumbers([
      row({ pane: "%1" }),
      row({ pane: "%2", at: [0, 1] }),
      row({ pane: "%3", window: "@2", at: [3, 0] }),
    ]);
    assert.deepEqual(made, {
      nextWindow: 4,
      windows: [
        { window: "@1", number: 0, nextPane: 2 },
        { window: "@2", number: 3, nextPane: 1 },
      ],
      panes: [
        { pane: "%1", address: "0.0" },
        { pane: "%2", address: "0.1" },
        { pane: "%3", address: "3.0" },
      ],
    });
  });

  test("of killed panes and windows are not reused", () => {
    const made = assignNumbers([
      row({ pane: "%1", next: 5, number: 0, nextPane: 7, address: "0.0" }),
      row({ pane: "%9", at: [0, 1], next: 5, number: 0, nextPane: 7 }),
      row({ pane: "%10", window: "@8", at: [1, 0], next: 5 }),
    ]);
    assert.deepEqual(made?.panes, [
      { pane: "%9", address: "0.7" },
      { pane: "%10", address: "5.0" },
    ]);
    assert.equal(made?.nextWindow, 6);
  });
});

test("a listing becomes windows by number and panes by address", () => {
  const { windows } = workspaceOf("artie", "1.2", [
    row({ pane: "%3", window: "@2", number: 10, address: "10.0" }),
    row({ pane: "%2", at: [0, 1], number: 0, address: "0.10" }),
    row({ pane: "%1", at: [0, 2], number: 0, address: "0.2" }),
  ]);
  assert.deepEqual(
    windows.map(({ number, panes }) => [number, panes.map(({ address }) => address)]),
    [
      [0, ["0.2", "0.10"]],
      [10, ["10.0"]],
    ],
  );
  assert.equal(windows[0]?.panes[0]?.cwd, "/now");
});
