import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { hookCommands, parseHints, readingCommands, waitingCommands } from "./events.ts";

test("hints are parsed with their serial numbers", () => {
  const queue = "1 died %3 77 s=0 k=;2 died %4 78 s= k=9;3 died %5 79 s= k=;4 bell @1 2;5 session_opened $2 name;";
  assert.deepEqual(parseHints(`${queue}6 session_closed $2;7 window_opened @4;8 window_closed @4;`), [
    { serial: 1, news: { kind: "died", pane: "%3", pid: 77, exit: { kind: "exited", code: 0 } } },
    { serial: 2, news: { kind: "died", pane: "%4", pid: 78, exit: { kind: "killed", signal: 9 } } },
    { serial: 3, news: { kind: "died", pane: "%5", pid: 79, exit: undefined } },
    { serial: 4, news: { kind: "bell", window: "@1", bells: 2 } },
    { serial: 5, news: { kind: "session_opened", session: "$2", name: "name" } },
    { serial: 6, news: { kind: "session_closed", session: "$2" } },
    { serial: 7, news: { kind: "window_opened", window: "@4" } },
    { serial: 8, news: { kind: "window_closed", window: "@4" } },
  ]);
});

test("an empty queue and unknown entries give no hints", () => {
  assert.deepEqual(parseHints(""), []);
  assert.deepEqual(parseHints("1 danced %3;;x;"), []);
});

test("no text makes parsing hints fail", () => fuzz((random) => void parseHints(hostileText(random))));

test("hints stay queued until the next read confirms them", () => {
  assert.equal(readingCommands(false).length, 3);
  assert.deepEqual(readingCommands(true)[0], ["set-option", "-g", "@paneward_in_flight", ""]);
});

test("the command after wait-for is harmless when a lingering client runs it", () => {
  assert.deepEqual(waitingCommands.at(-1), ["display-message", "-p", "woke"]);
});

test("hooks use an index of their own and leave other hooks alone", () => {
  for (const [, , name] of hookCommands()) assert.match(name ?? "", /^[a-z-]+\[99\]$/);
});
