import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { survive } from "./last-handler.ts";

test("an error that nothing caught is logged, the same one again only now and then", () => {
  const logged: unknown[] = [];
  const log = { info() {}, warn() {}, error: (_: string, details: object = {}) => logged.push(details) };
  const failing = new EventEmitter();
  const survival = survive(failing, log as never);
  const error = new Error("broken");
  for (let count = 0; count < 250; count++) failing.emit("uncaughtException", error);
  failing.emit("unhandledRejection", "a text");
  assert.deepEqual(
    logged.map((one) => [Reflect.get(one as object, "message"), Reflect.get(one as object, "times")]),
    [...[1, 10, 100].map((times) => ["broken", times]), ["a text", 1]],
  );
  survival.stop();
  assert.equal(failing.listenerCount("uncaughtException") + failing.listenerCount("unhandledRejection"), 0);
});
