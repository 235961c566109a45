import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Random, random } from "../../../tmux/test/support/random.ts";
import { plainText } from "../support/plain-text.ts";
import { type TestJournal, testJournal } from "./support/journal.ts";
import { recordedSize, recordings } from "./support/recordings.ts";
import { anyStream, printedStream, scrollingStream } from "./support/streams.ts";

const small = { columns: 12, rows: 6 };
// Wide enough that nothing wraps: wrapped rows that are redrawn are returned as rows, not as lines.
const broad = { columns: 200, rows: 6 };
const encode = (text: string) => new TextEncoder().encode(text);

/** Appends bytes piece by piece, reads after each piece, and joins the results. */
async function readInPieces(journal: TestJournal, bytes: Uint8Array, chance: Random, maxLength: number, raw = false) {
  let since: string | undefined;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + chance.below(maxLength);
    journal.append(bytes.subarray(at, at + length));
    at += length;
    const read = await journal.read({ ...(since === undefined ? {} : { since }), raw, isEnded: at >= bytes.length });
    since = read.cursor;
    text += read.text;
  }
  return text;
}

describe("reading in pieces", () => {
  test("returns the same as one read, if nothing is redrawn", async (t) => {
    const chance = random(t);
    for (let at = 0; at < 100; at++) {
      const bytes = encode(printedStream(chance));
      const journal = await testJournal(t, small);
      const text = await readInPieces(journal, bytes, chance, chance.pick([1, 5, 40]));
      assert.equal(text, plainText(bytes, small));
      assert.equal((await journal.read({ isEnded: true })).text, text);
    }
  });

  test("returns every line of the last state, whatever is redrawn", async (t) => {
    const chance = random(t);
    for (let at = 0; at < 100; at++) {
      const stream = at % 2 === 0 ? scrollingStream(chance, small) : anyStream(chance, small);
      const text = await readInPieces(await testJournal(t, broad), encode(stream), chance, 12);
      assertHolds(text, plainText(stream, broad), JSON.stringify(stream));
    }
  });

  test("returns a line once, however often the lines below it are redrawn", async (t) => {
    const chance = random(t);
    const steps = Array.from({ length: 200 }, (_, at) => {
      const bars = Array.from({ length: 8 }, (_, frame) => `\u001b[2A\u001b[Jbar ${frame}\r\nspinner ${frame}\r\n`);
      return `\u001b[2A\u001b[Jline ${at} is done\r\n\r\n\r\n${bars.join("")}`;
    });
    const text = await readInPieces(await testJournal(t, small), encode(`\r\n\r\n${steps.join("")}`), chance, 60);
    const shown = text.split("\n").filter((line) => line.includes("is done"));
    assert.deepEqual(
      shown,
      steps.map((_, at) => `line ${at} is done`),
    );
  });

  test("returns every raw byte once, if escape sequences are kept", async (t) => {
    const chance = random(t);
    for (let at = 0; at < 100; at++) {
      const stream = anyStream(chance, small);
      assert.equal(await readInPieces(await testJournal(t, small), encode(stream), chance, 5, true), stream);
    }
  });

  for (const { name, bytes } of recordings()) {
    test(`returns every line of the last state of ${name}`, async (t) => {
      const chance = random(t);
      const maxLength = Math.max(50, Math.floor(bytes.length / 50));
      const text = await readInPieces(await testJournal(t, recordedSize), bytes, chance, maxLength);
      assertHolds(text, plainText(bytes, recordedSize), name);
    });
  }
});

describe("reading in pages", () => {
  for (const { name, bytes } of recordings()) {
    test(`reaches the end of ${name} and returns every line of its last state`, async (t) => {
      const journal = await testJournal(t, recordedSize, { segmentBytes: 10_000 });
      journal.append(bytes);
      let text = "";
      for (let since: string | undefined; ; ) {
        const maxBytes = 1 + Math.floor(bytes.length / 20);
        const page = await journal.read({ ...(since === undefined ? {} : { since }), maxBytes, isEnded: true });
        text += page.text;
        since = page.cursor;
        if (page.atEnd) break;
      }
      assertHolds(text, plainText(bytes, recordedSize), name);
    });
  }

  test("continues inside a character and a sequence that are longer than a page", async (t) => {
    const journal = await testJournal(t, small);
    journal.append(encode("漢\u001b[38;5;123m字"));
    let text = "";
    for (let since: string | undefined; ; ) {
      const page = await journal.read({ ...(since === undefined ? {} : { since }), maxBytes: 1 });
      text += page.text;
      if (page.atEnd) break;
      assert.notEqual(page.cursor, since);
      since = page.cursor;
    }
    assert.equal(text, "漢字");
  });
});

/** Asserts that every line of a text was read. */
function assertHolds(read: string, text: string, message: string): void {
  const lines = new Set(read.split("\n"));
  const lost = text.split("\n").filter((line) => line !== "" && !lines.has(line));
  assert.deepEqual(lost, [], `${message}\n${JSON.stringify(read.slice(-2_000))}`);
}
