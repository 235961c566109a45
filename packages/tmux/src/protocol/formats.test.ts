import assert from "node:assert/strict";
import { test } from "node:test";
import { exitOf, parsePaneDetails, parsePaneRow } from "./formats.ts";

test("parses all fields of a row of the cheap listing", () => {
  assert.deepEqual(parsePaneRow("%3\t77\t@2\t$1\t1\t\t9\t1\t4\twork"), {
    pane: "%3",
    pid: 77,
    window: "@2",
    session: "$1",
    dead: true,
    exit: { kind: "killed", signal: 9 },
    piped: true,
    bells: 4,
    sessionName: "work",
  });
});

test("only a dead pane has a status", () => {
  assert.equal(parsePaneRow("%3\t77\t@2\t$1\t0\t0\t\t0\t\twork").exit, undefined);
});

test("without status and signal there is no exit", () => {
  assert.equal(exitOf("", ""), undefined);
  assert.deepEqual(exitOf("0", ""), { kind: "exited", code: 0 });
  assert.deepEqual(exitOf("", "15"), { kind: "killed", signal: 15 });
});

test("a folder with a tab in its name does not shift the details", () => {
  const details = parsePaneDetails("%3\t77\t/dev/pts/1\t80\t24\t1\ttitle\twin\tsh\t/a\tb");
  assert.equal(details.currentPath, "/a\tb");
  assert.equal(details.inMode, true);
  assert.equal(details.columns, 80);
});
