import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type StatusFacts, statusOf } from "./status-words.ts";

const unit: StatusFacts["unit"] = {
  ...{
    isLoaded: true,
    isEnabled: true,
    file: undefined,
    active: "active",
    pid: 7,
    result: "success",
    exitStatus: 0,
    restarts: 0,
  },
};
const written = { version: "1.0.0", program: "/node /main daemon run", home: "/h", socket: "/s" };
const well: StatusFacts = {
  ...{ manager: "systemd", path: "/u/paneward.service", file: "ours", written, isSound: true, unit, user: "ada" },
  ...{ isLingering: true, version: "1.0.0", program: written.program, home: "/h", log: "/h/daemon.log" },
  daemon: { pid: 7, version: "1.0.0", age: "3m" },
  tmux: { pid: 9, hasOwnScope: true },
};

describe("service status", () => {
  test("reports nothing about a healthy service", () => {
    const { rows, problem } = statusOf(well);
    assert.equal(problem, undefined);
    assert.deepEqual(
      rows.map(([name]) => name),
      ["installed", "version", "enabled", "running", "lingering", "terminals", "log"],
    );
  });

  const table: readonly (readonly [string, Partial<StatusFacts>, string | undefined, RegExp, RegExp])[] = [
    [
      "no service",
      { file: "none", written: undefined },
      "not_found",
      /^no$/m,
      /`paneward service install` installs it/,
    ],
    ["somebody else's", { file: "foreign", written: undefined }, "conflict", /not written by Paneward/, /replaces \/u/],
    ["another state folder", { home: "/other" }, "conflict", /another state folder, \/h/, /PANEWARD_HOME=\/h/],
    ["one without linger", { isLingering: false }, "no_linger", /end with the last logout/, /enable-linger ada/],
    ["one that is not enabled", { unit: { ...unit, isEnabled: false } }, "conflict", /^no$/m, /repairs it/],
    [
      "one that failed",
      { unit: { ...unit, active: "failed", result: "exit-code", exitStatus: 8, pid: undefined }, daemon: undefined },
      "not_found",
      /no, it failed: exit code 8/,
      /service logs/,
    ],
    [
      "one that was beaten to the lock",
      { unit: { ...unit, active: "failed", result: "exit-code", exitStatus: 6, pid: undefined } },
      "not_found",
      /a daemon that the service did not start runs, pid 7/,
      /`paneward daemon restart` hands/,
    ],
    [
      "another installation",
      { program: "/new/node /main daemon run", isSound: false },
      "conflict",
      /1\.0\.0, another installation: \/node/,
      /moves it/,
    ],
    ["one edited by hand", { isSound: false }, "conflict", /changed by hand/, /repairs it/],
  ];
  for (const [name, facts, problem, says, hint] of table) {
    test(`names ${name}, and what to do`, () => {
      const found = statusOf({ ...well, ...facts });
      assert.equal(found.problem, problem);
      assert.match(found.rows.map(([, text]) => text).join("\n"), says);
      assert.match(found.hint ?? "", hint);
    });
  }

  test("says of a server in a login that it is not in a scope, and on macOS nothing of scopes and linger", () => {
    const words = (facts: Partial<StatusFacts>) => Object.fromEntries(statusOf({ ...well, ...facts }).rows);
    assert.match(words({ tmux: { pid: 9, hasOwnScope: false } }).terminals ?? "", /not in a scope of its own/);
    const mac = words({ manager: "launchd", tmux: { pid: 9, hasOwnScope: false } });
    assert.deepEqual([mac.terminals, mac.lingering], ["tmux server 9", undefined]);
  });
});
