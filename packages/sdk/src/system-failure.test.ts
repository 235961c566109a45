import assert from "node:assert/strict";
import { test } from "node:test";
import { PanewardError } from "./errors.ts";
import { systemFailure } from "./system-failure.ts";

const failed = (code: string, more: object = {}) =>
  systemFailure(Object.assign(new Error(`${code}: it failed, open`), { code, ...more }));

test("what the system refuses has a code, says what to do, and names the file that a person knows", () => {
  const cases = [
    [failed("ENOSPC", { path: "/state/tasks/3" }), "storage_full", /for \/state\/tasks\/3/, /disk space/],
    [failed("EDQUOT"), "storage_full", /^no room on the disk$/, /disk space/],
    [failed("ENOSPC", { path: "/dev/fd/9", dest: "/state/git/index" }), "storage_full", /for \/state\/git\/index/, /./],
    [failed("ENOSPC", { path: "/proc/self/fd/9/index.lock" }), "storage_full", /for index\.lock/, /./],
    [failed("EMFILE", { syscall: "open" }), "unavailable", /files are open/, /ulimit -n/],
    [failed("EAGAIN", { syscall: "spawn git" }), "unavailable", /git .*not be started/, /ulimit -u/],
    [failed("ENOMEM", { syscall: "spawn ps" }), "unavailable", /ps .*not be started/, /memory/],
    [failed("EROFS", { path: "/home/me/x" }), "unavailable", /\/home\/me\/x.*read-only/, /writ/],
    [failed("EACCES", { path: "/home/me/x" }), "unavailable", /^\/home\/me\/x: permission denied$/, /permission/],
    [
      failed("ENOTDIR", { path: "/etc/passwd/x" }),
      "unavailable",
      /^\/etc\/passwd\/x: a file is where a folder/,
      /move away/,
    ],
    [failed("EISDIR", { path: "/home/me/.bashrc" }), "unavailable", /\.bashrc: a folder is where a file/, /move away/],
  ] as const;
  for (const [failure, code, message, hint] of cases) {
    assert.ok(failure instanceof PanewardError);
    assert.equal(failure.code, code);
    assert.match(failure.message, message);
    assert.match(failure.hint, hint);
  }
});

test("a fault of a program is none of the system's refusals", () => {
  assert.equal(systemFailure(new TypeError("a bug")), undefined);
  assert.equal(failed("ENOENT", { path: "/x" }), undefined);
  assert.equal(failed("EAGAIN", { syscall: "read" }), undefined);
  assert.equal(systemFailure("text"), undefined);
  assert.equal(systemFailure(undefined), undefined);
});
