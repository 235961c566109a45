import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { notPutBack } from "../../src/worktrees/not-put-back.ts";

function fullDisk(): unknown {
  try {
    writeFileSync("/dev/full", "x");
  } catch (error) {
    return error;
  }
}

test("a merge whose files cannot be put back has a known outcome, unless git itself was ended in the base", () => {
  const killed = new PanewardError("outcome_unknown", "git was ended");
  const table = [
    [fullDisk(), fullDisk(), "storage_full", /disk space.*; `git restore .* \.` in \/w puts them back/],
    [new Error("odd"), fullDisk(), "wrong_state", /^`git restore .* \.` in \/w puts them back; no commit is lost$/],
    [fullDisk(), killed, "outcome_unknown", /disk space/],
  ] as const;
  for (const [why, cause, code, hint] of table) {
    const error = notPutBack("/w", why, cause);
    assert.equal(error.code, code);
    assert.match(error.message, /^nothing was merged, but files of \/w were changed and could not be put back: /);
    assert.match(error.hint, hint);
  }
});
