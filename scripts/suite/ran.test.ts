import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { notRun, ranIn } from "./ran.ts";

const event = (type: string, data: object) => ({ type, data: { file: "/here/a/shared.ts", ...data } }) as TestEvent;

describe("what ran", () => {
  test("is what passed, by its own file; not what failed, was skipped or is to do", () => {
    const events = [
      event("test:pass", { name: "adds", details: { type: "test" } }),
      event("test:pass", { name: "a group", details: { type: "suite" } }),
      event("test:pass", { name: "is skipped", skip: "not here" }),
      event("test:pass", { name: "is empty", todo: true }),
      event("test:fail", { name: "fails" }),
      event("test:start", { name: "begins" }),
    ];
    assert.deepEqual(ranIn("/here", events), [
      { file: "a/shared.ts", name: "adds" },
      { file: "a/shared.ts", name: "a group" },
    ]);
  });

  test("is looked up by the file of the test, or by the file of the suite that imports it; the rest is named once", () => {
    const runs = [{ file: "a/b.test.ts", ran: [{ file: "a/shared.ts", name: "adds" }] }];
    const missing = { file: "a/c.test.ts", name: "adds" };
    const named = [{ file: "a/b.test.ts", name: "adds" }, missing, { file: "a/shared.ts", name: "adds" }, missing];
    assert.deepEqual(notRun(named, runs), [missing]);
  });
});
