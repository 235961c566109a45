import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Canvas } from "./canvas.ts";
import { changesBetween } from "./changes.ts";
import { type Column, fitColumns } from "./columns.ts";
import { piecesOf } from "./escapes.ts";

function canvas(...lines: readonly string[]): Canvas {
  const made = new Canvas(20, lines.length);
  for (const [y, line] of lines.entries()) made.put(0, y, line, "");
  return made;
}

describe("the bytes written to the terminal", () => {
  test("are empty when nothing changed", () => {
    assert.equal(changesBetween(canvas("abc"), canvas("abc")), "");
  });

  test("contain only the changed cells, as one frame", () => {
    const text = changesBetween(canvas("left", "the right part"), canvas("left", "the wrong part"));
    assert.equal(
      text,
      "\u001b[?2026h\u001b[?25l\u001b[2;5H\u001b[0mwrong\u001b[0m\u001b[?2026l".replace("wrong", "wrong"),
    );
  });

  test("reposition the cursor after a wide character", () => {
    assert.match(changesBetween(canvas(""), canvas("修x")), /修\u001b\[1;3Hx/);
  });

  test("redraw everything after a resize", () => {
    assert.match(changesBetween(canvas("a"), canvas("a", "b")), /\u001b\[2J/);
  });

  test("omit a wide character that does not fit", () => {
    const made = new Canvas(3, 1);
    made.put(0, 0, "ab修", "");
    assert.deepEqual(made.texts, [["a", "b", " "]]);
  });
});

describe("a program's colours", () => {
  const line = "a\u001b[1;31mb\u001b[22mc\u001b[0m\u001b[38;5;208md\u001b[48;2;0;0;255me\u001b]8;;http://x\u001b\\f";
  const styles = (depth: "none" | "16" | "256") => piecesOf(line, depth).map(({ text, style }) => `${text}:${style}`);

  test("are passed on to a terminal with many colours", () => {
    assert.deepEqual(styles("256"), [
      "a:",
      "b:1;31",
      "c:31",
      "d:38;5;208",
      "e:38;5;208;48;2;0;0;255",
      "f:38;5;208;48;2;0;0;255",
    ]);
  });

  test("are reduced to sixteen, or to none", () => {
    assert.deepEqual(styles("16").slice(3), ["d:91", "e:91;104", "f:91;104"]);
    assert.deepEqual(styles("none"), ["a:", "b:1", "c:", "d:", "e:", "f:"]);
  });
});

describe("columns", () => {
  const column = (title: string, preferred: number, dropOrder: number): Column<string> => ({
    title,
    of: (row) => (title === "EMPTY" ? "" : row),
    style: () => "",
    preferred,
    dropOrder,
  });
  const columns = [column("ID", 4, 0), column("NAME", 6, 1), column("EMPTY", 6, 2), column("LAST", 8, 3)];
  const widths = (room: number) =>
    fitColumns(columns, ["a long text"], room).map(([{ title }, width]) => `${title} ${width}`);

  test("without values are omitted, and when room is short the least important are dropped first", () => {
    assert.deepEqual(widths(60), ["ID 11", "NAME 11", "LAST 11"]);
    assert.deepEqual(widths(22), ["ID 5", "NAME 6", "LAST 8"]);
    assert.deepEqual(widths(15), ["ID 7", "NAME 6"]);
  });

  test("with a minimum width take the remaining room", () => {
    const less = columns.map((one) => (one.title === "LAST" ? { ...one, min: 3 } : one));
    const fitted = (room: number) =>
      fitColumns(less, ["a long text"], room).map(([{ title }, width]) => `${title} ${width}`);
    assert.deepEqual(fitted(16), ["ID 4", "NAME 6", "LAST 3"]);
    assert.deepEqual(fitted(15), ["ID 7", "NAME 6"]);
  });
});
