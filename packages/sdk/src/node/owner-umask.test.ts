import assert from "node:assert/strict";
import { test } from "node:test";
import { keepOwnerRights } from "./owner-umask.ts";

test("the owner may use new files, and others keep exactly the rights that the umask leaves them", () => {
  for (const [before, after] of [
    [0o022, 0o022],
    [0o000, 0o000],
    [0o077, 0o077],
    [0o777, 0o077],
    [0o202, 0o002],
  ] as const) {
    let mask: number = before;
    const umask = (next: number = mask) => {
      const was = mask;
      mask = next;
      return was;
    };
    keepOwnerRights({ umask });
    assert.equal(mask, after, before.toString(8));
  }
});
