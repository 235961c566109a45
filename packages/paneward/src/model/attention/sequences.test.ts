import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Sequences } from "./sequences.ts";

const esc = "\x1b";
const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

function found(...pieces: readonly string[]): readonly string[] {
  const sequences = new Sequences();
  return pieces.flatMap((piece) =>
    sequences.write(bytesOf(piece)).map((one) => (one.kind === "osc" ? one.body : "reset")),
  );
}

describe("sequences in output", () => {
  const cases: Readonly<Record<string, readonly [output: string, found: readonly string[]]>> = {
    "ended by BEL": [`a${esc}]7501;state=idle\x07b`, ["7501;state=idle"]],
    "ended by ST": [`a${esc}]7501;state=idle${esc}\\b`, ["7501;state=idle"]],
    "two in a row": [`${esc}]0;x\x07${esc}]1;y\x07`, ["0;x", "1;y"]],
    "a full reset": [`${esc}c`, ["reset"]],
    "colours and other escapes": [`${esc}[31m${esc}(B${esc}7x${esc}]9;z\x07`, ["9;z"]],
    "text that only names one": ["\\033]7501;state=idle\\007 ^[]7501;state=idle^G ]7501;state=idle\x07", []],
    "cut off by another escape": [`${esc}]7501;state=idle${esc}[0m rest\x07`, []],
    "begun anew by a second one": [`${esc}]7501;state=idle${esc}]7501;state=done\x07`, ["7501;state=done"]],
    "taken back by CAN": [`${esc}]7501;state=idle\x18\x07${esc}]7501;state=done\x07`, ["7501;state=done"]],
    "with control characters in it": [`${esc}]7501;sta\r\nte=idle\x07`, ["7501;state=idle"]],
    "of just the longest length": [`${esc}]${"x".repeat(4_096)}\x07`, ["x".repeat(4_096)]],
    "too long, and the next one": [`${esc}]${"x".repeat(4_097)}\x07${esc}]2;y\x07`, ["2;y"]],
    "megabytes that never end": [`${esc}]${"x".repeat(3_000_000)}`, []],
    "inside of a DCS": [`${esc}Pq${esc}]7501;state=idle\x07${esc}\\${esc}]2;y\x07`, ["2;y"]],
    "inside of an APC and a window's name": [`${esc}_G]7501;a\x07${esc}\\${esc}kname]7501;b\x07${esc}\\`, []],
    "wrapped for the terminal around tmux": [
      `${esc}Ptmux;${esc}${esc}]7501;state=done\x07${esc}\\`,
      ["7501;state=done"],
    ],
    "wrapped, ended by ST": [`${esc}Ptmux;${esc}${esc}]2;y${esc}${esc}\\${esc}\\after${esc}]1;z\x07`, ["2;y", "1;z"]],
    "a DCS that only begins like it": [`${esc}Ptmu;${esc}${esc}]7501;state=done\x07${esc}\\${esc}]1;z\x07`, ["1;z"]],
    "in the middle of UTF-8": [`\xe2\x9c\x93${esc}]2;\xe2\x9c\x93\x07`, ["2;\xe2\x9c\x93"]],
  };
  for (const [what, [output, bodies]] of Object.entries(cases))
    test(what, () => assert.deepEqual(found(output), bodies));

  test("are the same however the output is cut", () => {
    const whole = Object.values(cases)
      .map(([output]) => output)
      .filter((output) => output.length < 5_000)
      .map((output) => `${output}\x18`)
      .join("");
    const expected = found(whole);
    for (const size of [1, 2, 3, 7, 64, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.slice(at * size, (at + 1) * size),
      );
      assert.deepEqual(found(...pieces), expected, `cut every ${size} bytes`);
    }
  });

  test("have their end in their piece", () => {
    const sequences = new Sequences();
    assert.deepEqual(sequences.write(bytesOf(`ab${esc}]1;x`)), []);
    assert.deepEqual(sequences.write(bytesOf("y\x07cd")), [{ kind: "osc", body: "1;xy", end: 2 }]);
  });
});
