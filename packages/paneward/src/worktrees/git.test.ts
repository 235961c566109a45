import assert from "node:assert/strict";
import { test } from "node:test";
import { countIn, gitFailure } from "./git.ts";

const place = { folder: "/w", gitDir: "/g", commonDir: "/g", guards: { folder: "/x", filters: async () => [] } };
const failed = (err: string) =>
  gitFailure(place, ["-c", "a.b=c", "status", "-z"], { code: 128, out: "", err, cut: false, late: false });

test("a failure has a code, git's own line and a hint that helps", () => {
  const table: readonly (readonly [string, string, string, RegExp])[] = [
    ["fatal: bad object HEAD\n", "wrong_state", "fatal: bad object HEAD", /git fsck/],
    ["warning: x\nerror: y\nhint: z\n", "wrong_state", "error: y", /`git status` and `git fsck` in \/w/],
    ["something\nelse\n", "wrong_state", "something", /git fsck/],
    ["", "wrong_state", "it exited with code 128", /git fsck/],
    ["fatal: No space left on device\n", "storage_full", "fatal: No space left on device", /disk space/],
    ["fatal: Unable to create '/g/index.lock': File exists.\n\nAnother", "unavailable", "fatal: Unable", /try again/],
    ["fatal: not a git repository: /g\n", "not_found", "fatal: not a git repository: /g", /git init/],
  ];
  for (const [err, code, line, hint] of table) {
    const failure = failed(err);
    assert.equal(failure.code, code, err);
    assert.ok(failure.message.startsWith(`git status failed in /w: ${line}`), failure.message);
    assert.equal(failure.message.includes("\n"), false);
    assert.match(failure.hint, hint);
    assert.match(String(failure.cause), /git -c a\.b=c status -z/);
  }
});

test("a count is a number, and anything else a failure", () => {
  const count = (out: string) => countIn(place, ["rev-list", "--count"], out);
  assert.equal(count("12\n"), 12);
  for (const out of ["", "\n", "x\n", "1 2\n", "-1\n", "1e3\n", "Infinity\n"]) {
    assert.throws(() => count(out), { code: "wrong_state", message: /git rev-list in \/w printed no number/ }, out);
  }
});

test("output that is cut off is named as the reason", () => {
  const answer = { code: 128, out: "x", err: "", cut: true, late: false };
  assert.match(
    gitFailure(place, ["ls-files"], answer).message,
    /git ls-files failed in \/w: it printed more than 64 MiB/,
  );
});
