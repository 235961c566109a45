import assert from "node:assert/strict";
import { test } from "node:test";
import { hasColour } from "./out.ts";

test("colours are for terminals; NO_COLOR and FORCE_COLOR decide before that, in this order", () => {
  const cases: readonly (readonly [NodeJS.ProcessEnv, isTerminal: boolean, expected: boolean])[] = [
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "3", TERM: "dumb" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "" }, false, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ];
  for (const [env, isTerminal, expected] of cases)
    assert.equal(hasColour(env, isTerminal), expected, JSON.stringify([env, isTerminal]));
});
