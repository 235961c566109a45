import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { handleSignals, type Signalled } from "./signals.ts";

const table: readonly (readonly [signal: string, foreground: boolean, stops: boolean])[] = [
  ["SIGTERM", true, true],
  ["SIGTERM", false, true],
  ["SIGINT", true, true],
  ["SIGHUP", true, true],
  ["SIGHUP", false, false],
  ["SIGUSR1", true, false],
  ["SIGUSR1", false, false],
  ["SIGUSR2", true, false],
  ["SIGUSR2", false, false],
];
for (const [signal, foreground, stops] of table) {
  test(`${signal} ${stops ? "stops" : "is logged by"} a daemon in the ${foreground ? "foreground" : "background"}`, () => {
    const process = new EventEmitter();
    const done: string[] = [];
    const handled = handleSignals(process as Signalled, {
      foreground,
      stop: (name) => void done.push(`stop ${name}`),
      log: { info: (_message, details) => void done.push(`log ${JSON.stringify(details)}`) },
    });
    assert.equal(process.emit(signal, signal), true);
    assert.deepEqual(done, [stops ? `stop ${signal}` : `log {"signal":"${signal}"}`]);
    handled.stop();
    assert.deepEqual(process.eventNames(), []);
  });
}
