import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { closingLine, countOf, sum } from "./count.ts";

const passed = (data: object = {}) => ({ type: "test:pass", data: { details: { type: "test" }, ...data } });
const failed = (type: "test" | "suite", failureType: string) => ({
  type: "test:fail",
  data: { details: { type, error: { failureType } } },
});
const count = (...events: readonly object[]) => countOf(events as TestEvent[]);

describe("what is counted", () => {
  test("tests that pass, fail and are skipped or to do", () => {
    const events = [passed(), passed({ skip: true }), passed({ todo: "later" }), failed("test", "testCodeFailure")];
    assert.deepEqual(count(...events), { passed: 1, failed: 1, skipped: 2 });
  });

  test("not a suite that passes, or that fails with a test of its own", () => {
    assert.deepEqual(count(passed({ details: { type: "suite" } }), failed("suite", "subtestsFailed")), {
      passed: 0,
      failed: 0,
      skipped: 0,
    });
  });

  test("a suite whose hook fails, since no test says so", () => {
    assert.equal(count(failed("suite", "hookFailed")).failed, 1);
  });

  test("nothing else that a run prints", () => {
    assert.deepEqual(count({ type: "test:diagnostic", data: { message: "pass 7" } }), {
      passed: 0,
      failed: 0,
      skipped: 0,
    });
  });

  test("all files together, in one line", () => {
    const files = [
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 0, skipped: 0 },
    ];
    assert.equal(closingLine(sum(files)), "11 passed, 2 failed, 3 skipped");
  });
});
