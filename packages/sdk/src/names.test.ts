import assert from "node:assert/strict";
import { test } from "node:test";
import { freeName, parseSessionName, slugOf, taskBranch, taskSessionName, terminalSessionName } from "./names.ts";

test("a slug is made of the first line", () => {
  const table = [
    ["Fix the login", "fix-the-login"],
    ["  Über größe!\nmore", "uber-gro-e"],
    ["42 is the answer", "t-42-is-the-answer"],
    ["…", "task"],
    ["a".repeat(60), "a".repeat(40)],
    [`${"a".repeat(39)} b`, "a".repeat(39)],
    ["../../etc/passwd", "etc-passwd"],
  ] as const;
  for (const [text, slug] of table) assert.equal(slugOf(text), slug);
});

test("a name that is taken gets a number", () => {
  const taken = new Set(["fix", "fix2"]);
  assert.equal(
    freeName("fix", (name) => taken.has(name)),
    "fix3",
  );
  assert.equal(
    freeName("new", (name) => taken.has(name)),
    "new",
  );
});

test("a session name identifies its task or terminal; other names do not parse", () => {
  assert.deepEqual(parseSessionName(taskSessionName(7, "fix-it")), { task: 7, slug: "fix-it" });
  assert.deepEqual(parseSessionName(terminalSessionName("t3", "my.server")), { terminal: "t3" });
  assert.equal(terminalSessionName("t3", "my.server"), "paneward-t3-my-server");
  assert.equal(taskBranch(7, "fix-it"), "paneward/7-fix-it");
  for (const name of ["main", "paneward-keeper", "paneward-", "agency-1-x"])
    assert.equal(parseSessionName(name), undefined);
});
