import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { paneId, sessionName, sessionNameFrom, windowId, windowName } from "./names.ts";

test("a session name that tmux would change is refused before tmux sees it", () => {
  for (const bad of ["", "a.b", "a:b", "-a", "a b", "ä", "a\n", "=a", "$1", "x".repeat(101)]) {
    assert.throws(() => sessionName(bad), { type: "name_invalid", delivered: "no" }, JSON.stringify(bad));
  }
  for (const good of ["a", "A-b_9", "x".repeat(100)]) assert.equal(sessionName(good), good);
});

test("a window name may contain a dot, a space and any script, but nothing that breaks a target or a row", () => {
  for (const good of ["a.b c", "日本 🙂", "#(id)", "-x"]) assert.equal(windowName(good), good);
  for (const bad of ["", "a:b", "a\tb", "a\nb", "\u007f", "x".repeat(101)]) {
    assert.throws(() => windowName(bad), { type: "name_invalid" }, JSON.stringify(bad));
  }
});

test("ids are checked by their form", () => {
  assert.equal(paneId("%12"), "%12");
  assert.equal(windowId("@3"), "@3");
  for (const bad of ["", "12", "%", "%1x", " %1", "%1\n", "=a", "%-1"]) {
    assert.throws(() => paneId(bad), { type: "no_pane_id" }, JSON.stringify(bad));
    assert.throws(() => windowId(bad), { type: "session_not_found" });
  }
});

test("a refused name is quoted in the message, and cut when it is long", () => {
  assert.throws(
    () => sessionName(`${"y".repeat(5_000)}.`),
    (error: Error) => error.message.length < 300,
  );
});

test("any text has a nearest session name; an allowed name is unchanged", () => {
  assert.equal(sessionNameFrom("my.project"), "my-project");
  assert.equal(sessionNameFrom("--"), "unnamed");
  return fuzz((random) => {
    const text = hostileText(random);
    const name = sessionNameFrom(text);
    assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/);
    assert.equal(sessionNameFrom(name), name);
    if (/^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(text)) assert.equal(sessionName(text), text);
    else assert.throws(() => sessionName(text), { type: "name_invalid" });
  });
});
