import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { files, text } from "./support/repository.ts";

/** Ways to read or wait for time that pass the clock by. Yielding to the event loop with setImmediate is none. */
const forbidden =
  /\b(?:setTimeout|setInterval|clearTimeout|clearInterval)\b|\bperformance\.(?:now|timeOrigin)|\bDate\.now\b|\bnew Date\(\)|\bAbortSignal\.timeout\b|process\.hrtime/;

/** Lines of code, not of comments, that know the time by themselves. */
function offenders(path: string, source: string): readonly string[] {
  return source
    .split("\n")
    .map((line, at) => ({ line: line.replace(/^\s*(?:\/\/|\/?\*).*$/, ""), at: at + 1 }))
    .filter(({ line }) => forbidden.test(line))
    .map(({ line, at }) => `${path}:${at}: ${line.trim()}`);
}

describe("time", () => {
  test("reaches the runtime, the model and the capability only through the clock", () => {
    const sources = files("packages/paneward/src/{runtime,model,capability}/**/*.ts").filter(
      (path) => !/\.test\.ts$/.test(path),
    );
    assert.ok(sources.length > 150, "the rooms were found");
    assert.deepEqual(
      sources.flatMap((path) => offenders(path, text(path))),
      [],
    );
  });

  for (const line of [
    "await new Promise((resolve) => setTimeout(resolve, 5));",
    'import { setTimeout as delay } from "node:timers/promises";',
    "const began = performance.now();",
    "const now = Date.now();",
    "const today = new Date();",
    "fetch(url, { signal: AbortSignal.timeout(5) });",
  ]) {
    test(`is not read by \`${line}\``, () => assert.equal(offenders("x.ts", line).length, 1));
  }

  for (const line of [
    "// Date.now() jumps.",
    " * setTimeout keeps the process alive.",
    "clock.now();",
    "new Date(at);",
  ]) {
    test(`is no matter in \`${line}\``, () => assert.deepEqual(offenders("x.ts", line), []));
  }
});
