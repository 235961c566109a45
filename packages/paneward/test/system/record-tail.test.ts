import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { linesIn, nextRead, type Tail } from "../../src/model/agents/record-tail.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads all that stands there now. */
function read(tail: Tail | undefined, file: string, bytes: Uint8Array) {
  const from = nextRead(tail, { file, size: bytes.length });
  if (!from) return { tail, lines: [] };
  return linesIn(from, bytes.subarray(from.offset, from.offset + from.length));
}

test("every line is read once, however it is cut, over rotation and truncation", (t) => {
  const chance = random(t);
  for (let round = 0; round < 200; round += 1) {
    const [wanted, got]: [string[], string[]] = [[], []];
    let [file, text] = ["f0", ""];
    let tail: Tail | undefined;
    for (let step = 0; step < 30; step += 1) {
      const line = `${step} ${"é🙂x".repeat(chance.below(20))}`;
      const whole = bytesOf(`${line}\n`);
      wanted.push(line);
      // A writer may be caught in the middle of a character.
      const cut = chance.below(whole.length);
      const before = bytesOf(text);
      const half = new Uint8Array([...before, ...whole.subarray(0, cut)]);
      const first = read(tail, file, half);
      got.push(...first.lines);
      text += `${line}\n`;
      const second = read(first.tail, file, bytesOf(text));
      got.push(...second.lines);
      tail = second.tail;
      if (chance.below(6) === 0) {
        // Another file, or the same one cut: both begin anew. That it was cut shows in its length.
        if (chance.below(2) === 0) file = `f${step + 1}`;
        text = "";
        tail = read(tail, file, bytesOf(text)).tail;
      }
    }
    assert.deepEqual(got, wanted);
  }
});

test("of a file that is met when it is large only the end is read, from its first whole line", () => {
  const line = `${"x".repeat(999)}\n`;
  const bytes = bytesOf(line.repeat(6_000));
  const { lines, tail } = read(undefined, "f", bytes);
  assert.equal(tail?.offset, bytes.length);
  assert.equal(lines.length, 4_194);
  assert.ok(lines.every((one) => one.length === 999));
});

test("a line that is longer than all that is read at once is left out, and the next one is read", () => {
  const bytes = bytesOf(`${"x".repeat(17_000_000)}\nnext\n`);
  let tail: Tail | undefined = { file: "f", offset: 0, isCut: false };
  const got: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    const now = read(tail, "f", bytes);
    got.push(...now.lines);
    tail = now.tail;
  }
  assert.deepEqual([got, tail?.offset], [["next"], bytes.length]);
});
