import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseOutside, staysInside } from "./inside.ts";

test("a path stays inside unless a part of it leads elsewhere", () => {
  for (const path of ["a", "a/b", "..a", "a..", ".../b", ".gitignore", "a/.github/b", " .git", "-", "a\\..\\b"]) {
    assert.equal(staysInside(path), true, path);
  }
  for (const part of ["", ".", "..", ".git", ".GIT", ".Git"]) {
    for (const path of [part, `${part}/a`, `a/${part}`, `a/${part}/b`]) assert.equal(staysInside(path), false, path);
  }
  assert.equal(staysInside("/etc/passwd"), false);
});

test("the error names the path and what it was asked of", () => {
  refuseOutside({ folder: "/w" }, ["a", "b/c"]);
  assert.throws(() => refuseOutside({ folder: "/w" }, ["a", "../\xc3\xbc"]), {
    code: "wrong_state",
    message: "git names a path that leaves the worktree /w: ../ü",
  });
});
