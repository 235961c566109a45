import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "../../test/support/random.ts";
import {
  epochName,
  epochTimeAfter,
  formatCursor,
  newestSegment,
  parseCursor,
  segmentName,
  segmentsOf,
} from "./cursor.ts";

test("a cursor survives a round trip through text", () =>
  fuzz(({ below }) => {
    const cursor = { epoch: epochName(below(2 ** 31) * 1_000, "abc123"), offset: below(2 ** 31) * 400 };
    assert.deepEqual(parseCursor(formatCursor(cursor)), cursor);
  }));

test("an invalid cursor is refused with a hint", () => {
  for (const text of ["", "abc", "e1:", ":5", "e1:-5", "e1:5x", "E1:5", "e1:1e9", "e1:9999999999999999"]) {
    assert.throws(() => parseCursor(text), { type: "send_failed", message: /take one from a read/ }, text);
  }
});

test("segments have the names split gives them, and are found in order", () => {
  assert.equal(segmentName("e1", 0), "e1-aaaa");
  assert.equal(segmentName("e1", 27), "e1-aabb");
  assert.equal(segmentName("e1", 26 ** 4 - 1), "e1-zzzz");
  const files = ["e2-aaaa", "e1-aaab", "journal.json", "e1.index", "e1-aaaa", "wrapper.err", "e1-aaaaa"];
  assert.deepEqual(
    segmentsOf(files.map((name) => ({ name, size: 7 }))).map(({ name, epoch, index }) => [name, epoch, index]),
    [
      ["e1-aaaa", "e1", 0],
      ["e1-aaab", "e1", 1],
      ["e2-aaaa", "e2", 0],
    ],
  );
  assert.equal(newestSegment(files), "e2-aaaa");
  assert.equal(newestSegment(["journal.json", "wrapper.err", "zz.index"]), undefined);
});

test("every segment index can be parsed from its name", () =>
  fuzz(({ below }) => {
    const index = below(26 ** 4);
    assert.equal(segmentsOf([{ name: segmentName("e1", index), size: 0 }])[0]?.index, index);
  }));

test("a later epoch sorts after an earlier one, and its name needs no quoting", () => {
  const names = [0, 1, 999_999, 1_700_000_000_000, 4_000_000_000_000].map((ms) => epochName(ms, "00ff00"));
  assert.deepEqual([...names].sort(), names);
  for (const name of names) assert.match(name, /^[a-z0-9]+$/);
});

test("a new epoch is named after every earlier one, also when the machine's clock was set back", () => {
  const now = 1_700_000_000_000;
  assert.equal(epochTimeAfter([], now), now);
  const earlier = [segmentName(epochName(now + 3_600_000, "abcdef"), 0), "journal.json"];
  assert.equal(epochTimeAfter(earlier, now), now + 3_600_001);
  assert.ok(epochName(epochTimeAfter(earlier, now), "000000") > epochName(now + 3_600_000, "abcdef"));
  assert.equal(epochTimeAfter(earlier, now + 7_200_000), now + 7_200_000);
});
