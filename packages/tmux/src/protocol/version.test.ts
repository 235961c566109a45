import assert from "node:assert/strict";
import { test } from "node:test";
import { parseVersion, requireSupported } from "./version.ts";

test("parses versions as tmux prints them", () => {
  assert.deepEqual(parseVersion("tmux 3.3a\n"), { text: "3.3a", major: 3, minor: 3 });
  assert.deepEqual(parseVersion("tmux next-3.5"), { text: "next-3.5", major: 3, minor: 5 });
  assert.equal(parseVersion("tmux master").major, 99);
  assert.equal(parseVersion("tmux openbsd-7.4").major, 99);
});

test("3.2 and newer are supported, older ones are refused with both versions named", () => {
  for (const text of ["3.2", "3.2a", "3.10", "4.0"]) assert.ok(requireSupported(parseVersion(`tmux ${text}`)));
  for (const text of ["3.1c", "2.9", "1.8"]) {
    assert.throws(() => requireSupported(parseVersion(`tmux ${text}`)), {
      type: "version_unsupported",
      message: new RegExp(`tmux ${text} is too old.*3\\.2`),
    });
  }
});

test("an unreadable version is an error", () => {
  assert.throws(() => parseVersion("screen"), { type: "version_unsupported", message: /"screen"/ });
});
