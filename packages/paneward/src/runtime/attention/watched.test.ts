import assert from "node:assert/strict";
import { test } from "node:test";
import type { TerminalRecord } from "../../model/records.ts";
import { evidenceOf, watch } from "./watched.ts";

const place = { server: "s", session: "$1", pane: "%1", pid: 7 };
const record = { id: "t1", host: "local", phase: "running", place, createdAt: 0 } as unknown as TerminalRecord;

test("the reason for output and for silence names the real window, which grows with the program's gaps", () => {
  const watched = watch(record, place, undefined, { known: undefined, startedAt: 0, now: 0 });
  const rules = (gaps: readonly number[], now: number) =>
    evidenceOf({ ...watched, pace: { lastAt: 10_000, gaps } }, now).map(({ rule }) => rule);
  assert.deepEqual(rules([], 10_500), ["output within the last 1 s"]);
  assert.deepEqual(rules([1_000, 1_000], 12_400), ["output within the last 2.5 s"]);
  assert.deepEqual(rules([1_000, 1_000], 12_600), ["output within the last 2.5 s", "no output for 2.5 s"]);
  assert.deepEqual(rules([1_003], 11_100), ["output within the last 2.5 s"]);
});
