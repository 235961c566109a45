import assert from "node:assert/strict";
import { test } from "node:test";
import { eventLines } from "./event-lines.ts";

function told(pieces: readonly string[], most?: number): readonly string[] {
  const heard: string[] = [];
  const read = eventLines((data) => heard.push(data), most);
  for (const piece of pieces) read(piece);
  return heard;
}

const stream =
  ': hello\n\nid: 1\ndata: {"a":1}\n\ndata: two\r\ndata: lines\r\n\r\nevent: x\n\ndata:tight\n\ndata: unfinished';

test("each message's data is told once it is over; comments, ids and names are not", () => {
  assert.deepEqual(told([stream]), ['{"a":1}', "two\nlines", "tight"]);
});

test("any split of the stream gives the same", () => {
  for (let size = 1; size < stream.length; size++) {
    const pieces = stream.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    assert.deepEqual(told(pieces), ['{"a":1}', "two\nlines", "tight"], `in pieces of ${size}`);
  }
});

test("a message that is too long is left out whole, and the next one is heard", () => {
  const long = `data: ${"x".repeat(90)}\n`;
  for (const pieces of [[`${long}data: end\n\ndata: next\n\n`], [...`${long}data: end\n\ndata: next\n\n`]]) {
    assert.deepEqual(told(pieces, 50), ["next"]);
  }
  assert.deepEqual(told([`data: ${"x".repeat(30)}\n`, `data: ${"y".repeat(30)}\n`, "\ndata: next\n\n"], 50), ["next"]);
});
