import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nearest } from "./nearest.ts";

const words = ["init", "send", "read", "split", "list", "kill", "window", "snapshot"];

describe("the nearest word", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["send", "send"],
    ["sned", "send"],
    ["SEND", "send"],
    ["red", "read"],
    ["kil", "kill"],
    ["lst", "list"],
    ["windows", "window"],
    ["snap", "snapshot"],
    ["wdw", "window"],
    ["initialize", "init"],
    ["banana", undefined],
    ["", undefined],
    ["x".repeat(100_000), undefined],
  ];
  for (const [written, meant] of cases) {
    test(`${JSON.stringify(written.slice(0, 20))} means ${meant}`, () => assert.equal(nearest(written, words), meant));
  }
});
