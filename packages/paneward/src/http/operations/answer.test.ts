import assert from "node:assert/strict";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { Log } from "../../runtime/ports.ts";
import { failureOf } from "./answer.ts";

const route = { method: "POST", path: "/api/tasks" };

test("every failure whose hint names the daemon's log is in it, and no other", () => {
  const logged: object[] = [];
  const log = { error: (_text: string, fields: object) => logged.push(fields) } as unknown as Log;
  const cause = new Error("git said so");
  assert.equal(failureOf(route, new PanewardError("unexpected", "odd", { cause }), log).message, "odd");
  assert.equal(failureOf(route, new TypeError("a bug"), log).message, "the daemon failed unexpectedly");
  assert.equal(failureOf(route, new PanewardError("wrong_state", "usual"), log).code, "wrong_state");
  assert.deepEqual(
    logged.map((fields) => [Reflect.get(fields, "message"), Reflect.get(fields, "cause")]),
    [
      ["odd", "git said so"],
      ["a bug", undefined],
    ],
  );
});

test("a file that cannot be opened because too many are open is no unexpected failure", () => {
  const log = { error: () => assert.fail("it is not logged for every request") } as unknown as Log;
  for (const code of ["EMFILE", "ENFILE"]) {
    const failure = failureOf(route, Object.assign(new Error("open"), { code }), log);
    assert.deepEqual([failure.code, failure.hint.includes("ulimit -n")], ["unavailable", true]);
  }
});
