import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ageOf, widthOf } from "@paneward/sdk/text";
import { type Column, tableLines } from "./table.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly why: string;
}

const columns: readonly Column<Row>[] = [
  { title: "ID", of: ({ id }) => id, right: true },
  { title: "NAME", of: ({ name }) => name, colour: () => "green" },
  { title: "WHY", of: ({ why }) => why, cut: true },
];
const plain = { columns: Number.POSITIVE_INFINITY, paint: (_: string, text: string) => text };

describe("a table", () => {
  test("is aligned by display width", () => {
    const rows = [
      { id: "1", name: "修复", why: "x" },
      { id: "12", name: "abc", why: "y" },
    ];
    assert.deepEqual(tableLines(plain, rows, columns), ["ID  NAME  WHY", " 1  修复  x", "12  abc   y"]);
  });

  test("omits a column without values", () => {
    assert.deepEqual(tableLines(plain, [{ id: "1", name: "", why: "x" }], columns), ["ID  WHY", " 1  x"]);
  });

  test("truncates `cut` columns, and colour codes take no width", () => {
    const paint = (_: string, text: string) => `\u001b[32m${text}\u001b[0m`;
    const lines = tableLines({ columns: 24, paint }, [{ id: "1", name: "name", why: "a very long reason" }], columns);
    const shown = lines.map((line) => line.replace(/\u001b\[\d+m/g, ""));
    assert.deepEqual(shown, ["ID  NAME  WHY", " 1  name  a very long r…"]);
    assert.ok(shown.every((line) => widthOf(line) <= 24));
  });

  test("truncates the widest column first, and drops spare columns before others become unreadable", () => {
    const wide: readonly Column<Row>[] = [
      { title: "ID", of: ({ id }) => id },
      { title: "NAME", of: ({ name }) => name, cut: true },
      { title: "WHY", of: ({ why }) => why, cut: true },
      { title: "MORE", of: ({ why }) => why, cut: true, spare: true },
    ];
    const rows = [{ id: "1", name: "n".repeat(20), why: "w".repeat(60) }];
    const at = (room: number) => tableLines({ ...plain, columns: room }, rows, wide)[1] ?? "";
    assert.equal(at(200), `1   ${"n".repeat(20)}  ${"w".repeat(60)}  ${"w".repeat(60)}`);
    assert.equal(at(70), `1   ${"n".repeat(20)}  ${"w".repeat(20)}…  ${"w".repeat(20)}…`);
    assert.equal(at(46), `1   ${"n".repeat(20)}  ${"w".repeat(19)}…`);
    assert.equal(at(30), `1   ${"n".repeat(11)}…  ${"w".repeat(11)}…`);
    for (const room of [200, 100, 70, 46, 30]) assert.ok(widthOf(at(room)) <= room, String(room));
  });

  test("does not truncate below the minimum width", () => {
    const lines = tableLines({ ...plain, columns: 5 }, [{ id: "1", name: "name", why: "a very long reason" }], columns);
    assert.equal(lines[1], " 1  name  a very …");
  });
});

describe("an age", () => {
  const now = 1_000_000_000;
  const ages: readonly (readonly [number | undefined, string])[] = [
    [undefined, ""],
    [now + 5_000, "0s"],
    [now - 59_999, "59s"],
    [now - 60_000, "1m"],
    [now - 3_599_000, "59m"],
    [now - 7_200_000, "2h"],
    [now - 2 * 86_400_000, "2d"],
  ];
  for (const [at, age] of ages)
    test(`${at === undefined ? "of nothing" : now - at} is "${age}"`, () => assert.equal(ageOf(at, now), age));
});
