import assert from "node:assert/strict";
import { test } from "node:test";
import { CastWriter } from "./asciicast.ts";

const header = { columns: 80, rows: 24, startedAtMs: 1_700_000_000_500, title: "main" };
const bytes = (text: string) => new TextEncoder().encode(text);

test("a recording is a header and one line per piece, timed in seconds since its start", () => {
  const cast = new CastWriter(header, "$ ");
  cast.write({ atMs: 1_700_000_001_000, bytes: bytes("ls\r\n") });
  cast.write({ atMs: 1_700_000_002_250, bytes: bytes("\u001b[31mred\u001b[0m") });
  const [first = "", ...events] = cast.finish().trimEnd().split("\n");
  assert.deepEqual(JSON.parse(first), {
    version: 2,
    width: 80,
    height: 24,
    timestamp: 1_700_000_000,
    title: "main",
    env: { TERM: "screen-256color" },
  });
  assert.deepEqual(
    events.map((line) => JSON.parse(line)),
    [
      [0, "o", "$ "],
      [0.5, "o", "ls\r\n"],
      [1.75, "o", "\u001b[31mred\u001b[0m"],
    ],
  );
  assert.equal(cast.seconds, 1.75);
});

test("a character split between two pieces is joined, and time never goes back", () => {
  const cast = new CastWriter(header, "");
  const smile = bytes("🙂!");
  cast.write({ atMs: header.startedAtMs + 100, bytes: smile.subarray(0, 2) });
  cast.write({ atMs: header.startedAtMs + 50, bytes: smile.subarray(2) });
  assert.deepEqual(cast.finish().split("\n").slice(1, -1), ['[0.1,"o","🙂!"]']);
});
