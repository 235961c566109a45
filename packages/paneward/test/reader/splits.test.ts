import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { Fold } from "../../src/model/output/fold.ts";
import { plainText } from "../support/plain-text.ts";
import { recordedSize, recordings } from "./support/recordings.ts";
import { anyStream } from "./support/streams.ts";

describe("the text does not depend on how the bytes are split", () => {
  for (const { name, bytes } of recordings()) {
    test(name, (t) => {
      const chance = random(t);
      const whole = plainText(bytes, recordedSize);
      for (const maxLength of [1, 7, 100, 5_000]) {
        if (maxLength === 1 && bytes.length > 100_000) continue;
        assert.equal(inSplits(bytes, chance, maxLength), whole);
      }
    });
  }

  test("1,000 drawn streams and 1,000 of any bytes", (t) => {
    const chance = random(t);
    for (let at = 0; at < 2_000; at++) {
      const bytes = at % 2 === 0 ? new TextEncoder().encode(anyStream(chance, recordedSize)) : anyBytes(chance);
      const whole = plainText(bytes, recordedSize);
      assert.equal(inSplits(bytes, chance, 1), whole);
      assert.equal(inSplits(bytes, chance, 9), whole);
    }
  });
});

test("a line overwritten by 8 MB of output ends with its last state", () => {
  const bytes = new TextEncoder().encode("word 漢字\b \r".repeat((8 * 1_048_576) / 15));
  assert.equal(plainText(bytes, recordedSize).trimEnd(), "word 漢");
});

function inSplits(bytes: Uint8Array, chance: Random, maxLength: number): string {
  const pieces: string[] = [];
  const fold = new Fold(recordedSize);
  fold.mark((text) => pieces.push(text));
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + chance.below(maxLength);
    fold.write(bytes.subarray(at, at + length));
    at += length;
  }
  fold.end();
  fold.writeScreen();
  return pieces.join("");
}

// Mostly bytes of escape sequences.
function anyBytes(chance: Random): Uint8Array {
  const common = [0x1b, 0x5b, 0x5d, 0x50, 0x3b, 0x31, 0x4b, 0x4d, 0x07, 0x5c, 0x0a, 0x0d, 0xc2, 0x9b, 0x9d, 0xe2, 0x82];
  return Uint8Array.from({ length: chance.below(200) }, () =>
    chance.below(4) === 0 ? chance.below(256) : chance.pick(common),
  );
}
