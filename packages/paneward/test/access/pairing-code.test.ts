import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../../tmux/test/support/random.ts";
import { groupCode, makeCode, makeNumber, readCode } from "../../src/model/pairing-code.ts";

test("a code is read however it was typed", () =>
  fuzz(({ below, pick }) => {
    const code = makeCode(below);
    assert.match(code, /^[2-9A-HJKMNP-TV-Z]{8}$/);
    assert.equal(readCode(groupCode(code)), code);
    const typed = [...code].map((letter) => {
      const wide = String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
      return pick([letter, letter.toLowerCase(), wide]) + pick(["", "", " ", "-", "–", "\u00a0", ".", "\u200b", "\t"]);
    });
    assert.equal(readCode(typed.join("")), code);
  }, 2_000));

test("what is no code is none: look-alikes, other lengths, any text", () =>
  fuzz((random) => {
    const { below, pick } = random;
    const code = makeCode(below);
    const at = below(8);
    for (const letter of [..."01ILOUilou"])
      assert.equal(readCode(code.slice(0, at) + letter + code.slice(at + 1)), undefined);
    assert.equal(readCode(code.slice(1)), undefined);
    assert.equal(readCode(code + pick([..."23456789abcdef"])), undefined);
    const read = readCode(hostileText(random));
    assert.ok(read === undefined || /^[2-9A-HJKMNP-TV-Z]{8}$/.test(read));
  }, 2_000));

test("a number has four digits, from the first to the last", () => {
  assert.equal(
    makeNumber(() => 0),
    "0000",
  );
  assert.equal(
    makeNumber((limit) => limit - 1),
    "9999",
  );
});
