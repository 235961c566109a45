import assert from "node:assert/strict";
import { test } from "node:test";
import { notReached } from "./unix.ts";

test("an error before there was a connection says that nothing was sent; a later one, that it may have happened", () => {
  const cases = [
    ["ENOENT", "connect", "unavailable"],
    ["ECONNREFUSED", "connect", "unavailable"],
    ["EACCES", "connect", "unavailable"],
    ["EAGAIN", "connect", "unavailable"],
    ["ECONNRESET", "read", "outcome_unknown"],
    ["EPIPE", "write", "outcome_unknown"],
  ] as const;
  for (const [code, syscall, expected] of cases) {
    const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
    const failure = notReached("/run/d.sock", cause);
    assert.equal(failure.code, expected, code);
    if (expected === "unavailable") assert.match(failure.message, /no daemon listens|nothing was sent/);
  }
});
