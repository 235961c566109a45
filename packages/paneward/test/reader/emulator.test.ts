import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { plainText } from "../support/plain-text.ts";
import { emulate, type Shown } from "./support/emulator.ts";
import { recordedSize, recordings } from "./support/recordings.ts";
import { shrink } from "./support/shrink.ts";
import { anyStream, scrollingStream } from "./support/streams.ts";

describe("the text of a recording ends like its screen", () => {
  for (const { name, bytes, screen } of recordings()) {
    test(`${name}, in tmux`, () => {
      const shown = screen.slice(0, screen.findLastIndex((line) => line !== "") + 1);
      assert.deepEqual(endOf(plainText(bytes, recordedSize), shown), shown);
    });

    test(`${name}, in xterm`, async () => {
      const { screen: shown } = await emulate(bytes, recordedSize);
      assert.deepEqual(endOf(plainText(bytes, recordedSize), shown), shown);
    });
  }
});

const small = { columns: 12, rows: 6 };

describe("any drawn stream ends like in xterm", () => {
  const shows = async (stream: string) => emulate(new TextEncoder().encode(stream), small);
  const fuzz = async (t: TestContext, count: number, make: (chance: Random) => string, of: (shown: Shown) => Lines) => {
    const chance = random(t);
    const compare = async (stream: string) => {
      const shown = await shows(stream);
      // xterm distinguishes unwritten columns from spaces; for wrapped rows, we do not.
      const same = (line: string) => (shown.hasWrapped ? line.replaceAll(" ", "") : line);
      const lines = of(shown).map(same);
      return { text: endOf(plainText(stream, small), lines, same), shown: lines };
    };
    const fails = async (stream: string) => {
      const { text, shown } = await compare(stream);
      return text.join("\n") !== shown.join("\n") && isMatched(stream);
    };
    for (let at = 0; at < count; at++) {
      const stream = make(chance);
      if (!(await fails(stream))) continue;
      const shortest = await shrink(stream, fails);
      const { text, shown } = await compare(shortest);
      assert.deepEqual(text, shown, JSON.stringify(shortest));
    }
  };

  test("2,000 streams of all sequences", (t) =>
    fuzz(
      t,
      2_000,
      (chance) => anyStream(chance, small),
      ({ screen }) => screen,
    ));

  test("2,000 streams that only scroll at the bottom, including the scrollback", (t) =>
    fuzz(
      t,
      2_000,
      (chance) => scrollingStream(chance, small),
      ({ all }) => all,
    ));
});

type Lines = readonly string[];

// The last lines of a text, as many as the screen shows. The screen's first row may be the rest of a longer line.
function endOf(text: string, screen: Lines, same = (line: string) => line): Lines {
  const lines = text.split("\n").map(same);
  const [first = "", ...rest] = lines.slice(0, lines.findLastIndex((line) => line !== "") + 1).slice(-screen.length);
  const [shown = ""] = screen;
  return screen.length === 0 ? [] : [first.endsWith(shown) ? shown : first, ...rest];
}

// We ignore leaving the alternate screen without having entered it; xterm moves the cursor.
function isMatched(stream: string): boolean {
  const changes = [...stream.matchAll(/\?1049([hl])/g)].map(([, change]) => change);
  return changes.every((change, at) => change === (at % 2 === 0 ? "h" : "l"));
}
