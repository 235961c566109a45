import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { emptyView, withConnection } from "@paneward/sdk/view";
import type { Canvas } from "../../src/tui/draw/canvas.ts";
import { draw } from "../../src/tui/draw/draw.ts";
import { block, look, rule } from "../../src/tui/draw/style.ts";
import { lineOf } from "../../src/tui/state/line-editor.ts";
import { press } from "../../src/tui/state/press.ts";
import { firstState, type State } from "../../src/tui/state/state.ts";
import { contrastOf, paintedBy, palettes } from "./support/palettes.ts";
import { sampleState } from "./support/sample-state.ts";

/** Slightly below the contrast of Solarized's own text: ours must not be worse in any palette. */
const readable = 4;
/** A block holds no text; it has to be seen, not read. */
const visible = 1.9;

describe("every style is readable in the colours of common terminals", () => {
  for (const palette of palettes) {
    const { back } = palette;
    test(palette.name, () => {
      for (const [name, style] of Object.entries(look)) {
        for (const brightens of [false, true]) {
          const { ink, paper } = paintedBy(style, palette, brightens);
          assert.ok(contrastOf(ink, paper) >= readable, `${name}: ${ink} on ${paper} is ${contrastOf(ink, paper)}`);
        }
      }
      for (const [name, style] of Object.entries(block)) {
        if (style === block.none) continue;
        const { paper } = paintedBy(style, palette);
        assert.ok(contrastOf(paper, back) >= visible, `${name}: ${paper} beside ${back} is ${contrastOf(paper, back)}`);
      }
    });
  }
});

describe("everything drawn uses one of those styles", () => {
  const looks: ReadonlySet<string> = new Set(Object.values(look));
  const blocks: ReadonlySet<string> = new Set(Object.values(block));
  for (const [name, state] of scenes()) {
    test(name, () => {
      const canvas = draw(state, "256");
      for (const [text, style, place] of cellsOf(canvas)) {
        if (style === rule) assert.match(text, /^[─│]$/, `faint letters at ${place}`);
        else if (blocks.has(style) && style !== block.none) assert.equal(text, " ", `letters on a block at ${place}`);
        else assert.ok(looks.has(style), `${JSON.stringify(text)} at ${place} has the look ${style}`);
      }
    });
  }

  test("without colours, black on yellow becomes reverse, and blocks are gone", () => {
    const [, state] = scenes()[0] ?? [];
    assert.ok(state);
    const styles = new Set(draw(state, "none").styles.flat());
    assert.deepEqual([...styles].toSorted(), ["", "1", "1;7", "2", "4", "7"]);
  });
});

function* cellsOf({ texts, styles }: Canvas): Generator<readonly [text: string, style: string, place: string]> {
  for (const [y, row] of texts.entries()) {
    for (const [x, text] of row.entries()) if (text !== "") yield [text, styles[y]?.[x] ?? "", `${x},${y}`];
  }
}

/** Every status, page and line editor. */
function scenes(): readonly (readonly [name: string, state: State])[] {
  const list = sampleState();
  const after = (...keys: readonly string[]) =>
    keys.reduce((state, key) => press(state, { kind: "key", key }).state, list);
  const diff = ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-old", "+new", " same"];
  const pages = { kind: "pages", of: "diff", title: "1 a", lines: diff, top: 0, isTyped: false } as const;
  return [
    ["the list", list],
    ["the list, small", { ...list, size: { columns: 40, rows: 10 } }],
    ["the list alone", after("w")],
    ["nothing yet", { ...firstState(list.size, 10), view: withConnection(emptyView, { kind: "connected" }) }],
    ["nothing fits", after("/", "z", "z", "z")],
    ["the daemon away", { ...list, view: withConnection(list.view, { kind: "lost", reason: "x", since: 1 }) }],
    ["a failure", { ...list, message: { text: "it failed", isFailure: true } }],
    ["writing", after("N", "h", "i")],
    ["a confirmation", after("D")],
    ["a question", after("Tab", "a")],
    ["a question, words", after("Tab", "a", "Down", "Down", "n", "o")],
    ["a diff, searched", { ...list, mode: { ...pages, search: lineOf("new") } }],
    ["no journal", { ...list, mode: { ...pages, of: "journal", lines: [], search: undefined } }],
    ["help", after("?")],
    ["a token that may only read", { ...list, access: { address: "http://x", scope: "read", isHere: false } }],
  ];
}
