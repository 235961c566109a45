import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withoutComments } from "./support/agent-words.ts";
import { files, text } from "./support/repository.ts";

/** Ways to read or wait for time that bypass the clock. Converting a date that is given is none. */
const forbidden = [
  /\b(?:set|clear)(?:Timeout|Interval)\b/,
  /\bDate\b(?!\.(?:parse|UTC)\b|\((?!\)))/,
  /\b(?:performance|Temporal|scheduler|hrtime|uptime)\b/,
  /\b(?:AbortSignal\.timeout|Atomics\.wait)/,
  // Yielding to the event loop is all that Node's timers are needed for.
  /\bfrom "(?:node:)?timers(?:\/promises)?"(?<!^import \{ setImmediate(?: as \w+)? \} from ".*")/,
];

/** Lines of code, not of comments, that read or wait for time by themselves. */
function offenders(path: string, source: string): readonly string[] {
  return withoutComments(source)
    .split("\n")
    .flatMap((line, at) => (forbidden.some((one) => one.test(line)) ? [`${path}:${at + 1}: ${line.trim()}`] : []));
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
    "const { now } = Date;",
    "const today = new Date();",
    "const today = new Date;",
    "const today = Date();",
    "const began = Temporal.Now.instant();",
    "const { now } = performance;",
    "const began = process.hrtime.bigint();",
    "const began = process.uptime();",
    'import * as timers from "node:timers";',
    'import { scheduler } from "node:timers/promises";',
    "fetch(url, { signal: AbortSignal.timeout(5) });",
  ]) {
    test(`is read without the clock by \`${line}\``, () => assert.equal(offenders("x.ts", line).length, 1));
  }

  for (const line of [
    "// Date.now() jumps.",
    "/**\n * setTimeout keeps the process alive.\n */",
    "clock.now(); // not Date.now()",
    "new Date(at);",
    "Date.parse(text);",
    'import { setImmediate as yieldToLoop } from "node:timers/promises";',
  ]) {
    test(`is not read by \`${line}\``, () => assert.deepEqual(offenders("x.ts", line), []));
  }
});
