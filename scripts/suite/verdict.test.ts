import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FileRun } from "./file-run.ts";
import { lastLines, verdictOf } from "./verdict.ts";

const runOf = (file: string, passed: number, failed: number): FileRun => ({
  file,
  count: { passed, failed, skipped: 1 },
  ran: [],
  seconds: 1,
  output: `${file}: ${failed} failed`,
});
const placeOf = ({ output }: FileRun) => `[${output}]`;

describe("the verdict on a run", () => {
  test("all pass: nothing but the closing line", () => {
    const verdict = verdictOf([runOf("a", 3, 0), runOf("b", 4, 0)], []);
    assert.equal(verdict.passes, true);
    assert.deepEqual(lastLines(verdict, placeOf), ["7 passed, 0 failed, 2 skipped"]);
  });

  test("a file that passes alone is flaky: the run passes, counts its second run and names both outputs", () => {
    const verdict = verdictOf([runOf("a", 3, 0), runOf("b", 2, 2)], [runOf("b", 4, 0)]);
    assert.equal(verdict.passes, true);
    assert.deepEqual(lastLines(verdict, placeOf), [
      "flaky: 1 file failed at first and passed alone",
      "  b",
      "    failed beside others: [b: 2 failed]",
      "    passed alone:         [b: 0 failed]",
      "7 passed, 0 failed, 2 skipped",
    ]);
  });

  test("a file that fails twice fails the run, and is not flaky", () => {
    const verdict = verdictOf([runOf("a", 1, 2), runOf("b", 1, 1)], [runOf("a", 2, 1), runOf("b", 2, 0)]);
    assert.equal(verdict.passes, false);
    assert.deepEqual(
      verdict.flaky.map(({ file }) => file),
      ["b"],
    );
    assert.equal(lastLines(verdict, placeOf).at(-1), "4 passed, 1 failed, 2 skipped");
  });

  test("a run without a file does not pass", () => {
    assert.equal(verdictOf([], []).passes, false);
  });
});
