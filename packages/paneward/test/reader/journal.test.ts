import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { lookBack } from "../../src/model/output/fold-journal.ts";
import { plainText } from "../support/plain-text.ts";
import { type TestJournal, testJournal } from "./support/journal.ts";
import { recordedSize, recordings } from "./support/recordings.ts";

const size = { columns: 80, rows: 24 };
const encode = (text: string) => new TextEncoder().encode(text);
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at} of a long output\r\n`).join("");

async function journalOf(t: TestContext, text: string): Promise<TestJournal> {
  const journal = await testJournal(t, size);
  journal.append(encode(text));
  return journal;
}

describe("the cost of a read", () => {
  test("grows with new output, not with old output", async (t) => {
    const journal = await testJournal(t, size);
    const block = encode(numbered(0, 30_000));
    const costs: number[] = [];
    for (let since: string | undefined; costs.length < 20; ) {
      journal.append(block);
      since = (await journal.read(since === undefined ? {} : { since })).cursor;
      const before = journal.bytesRead;
      journal.append(encode("news\r\n"));
      const { text, cursor } = await journal.read({ since });
      assert.equal(text, "news\n");
      since = cursor;
      costs.push(journal.bytesRead - before);
    }
    assert.ok(Math.max(...costs) <= lookBack + 100, `${costs}`);
  });

  test("stays constant during an endless progress bar, and its last state is always returned", async (t) => {
    const journal = await journalOf(t, "downloading\r\n");
    let { cursor: since } = await journal.read({});
    for (let percent = 0; percent < 300; percent++) {
      const frames = Array.from({ length: 50 }, (_, at) => `\r\u001b[K[${"#".repeat(at)}] ${percent}.${at} %`);
      journal.append(encode(frames.join("")));
      const before = journal.bytesRead;
      const { text, cursor } = await journal.read({ since });
      assert.equal(text, `${percent === 0 ? "" : "\n"}[${"#".repeat(49)}] ${percent}.49 %`);
      assert.ok(journal.bytesRead - before <= lookBack + 10_000);
      since = cursor;
    }
    journal.append(encode("\r\ndone\r\n"));
    assert.equal((await journal.read({ since })).text, "\ndone\n");
  });

  test("is constant for the last lines too", async (t) => {
    const journal = await journalOf(t, numbered(0, 400_000));
    const { text } = await journal.read({ lines: 3 });
    assert.equal(text, "line 399997 of a long output\nline 399998 of a long output\nline 399999 of a long output\n");
    assert.ok(journal.bytesRead <= 2 * lookBack, `${journal.bytesRead} bytes`);
  });
});

describe("the last lines", () => {
  for (const { name, bytes } of recordings()) {
    test(`of ${name} equal those of its text`, async (t) => {
      const journal = await testJournal(t, recordedSize);
      journal.append(bytes);
      const lines = plainText(bytes, recordedSize).split(/(?<=\n)/);
      for (const count of [1, 5, 100, 3_000]) {
        const { text } = await journal.read({ lines: count, isEnded: true });
        assert.equal(text, lines.slice(-count).join(""));
      }
    });
  }

  test("are found before hours of a full-screen program", async (t) => {
    const frame = (at: number) => `\u001b[5;1Hframe ${at}\u001b[K\u001b[20;1H${"x".repeat(70)}`;
    const drawn = Array.from({ length: 20_000 }, (_, at) => frame(at)).join("");
    const journal = await journalOf(t, `${numbered(0, 100)}\u001b[?1049h${drawn}\u001b[?1049lafter\r\n`);
    const { text } = await journal.read({ lines: 3 });
    assert.equal(text, "line 98 of a long output\nline 99 of a long output\nafter\n");
  });
});

describe("a cursor", () => {
  test("continues in a screen that was drawn long ago", async (t) => {
    const filler = "\u001b[s\u001b[10;1Hx\u001b[u".repeat(20_000);
    const journal = await journalOf(t, `\u001b[?1049h\u001b[Hold\u001b[3;1Hfirst${filler}`);
    const { cursor } = await journal.read({});
    journal.append(encode("\u001b[3;1Hsecond"));
    const inside = await journal.read({ since: cursor });
    // The changed row, and the last row again, where the cursor is.
    assert.equal(inside.text, "\nsecond\nx");
    journal.append(encode("\u001b[?1049lback\r\n"));
    assert.equal((await journal.read({ since: inside.cursor })).text, "\nback\n");
  });

  test("without its state part can still be continued from", async (t) => {
    const journal = await journalOf(t, `${numbered(0, 10_000)}unfinished`);
    const { cursor } = await journal.read({});
    const [plain = ""] = cursor.split("-");
    journal.append(encode(" line\r\nnext\r\n"));
    assert.equal((await journal.read({ since: plain })).text, " line\nnext\n");
    assert.equal((await journal.read({ since: cursor })).text, " line\nnext\n");
  });

  test("from before the first byte returns everything", async (t) => {
    const journal = await testJournal(t, size);
    const nothing = await journal.read({});
    assert.deepEqual([nothing.text, nothing.missed], ["", 0]);
    journal.append(encode("hello\r\n"));
    const { text, missed } = await journal.read({ since: nothing.cursor });
    assert.deepEqual([text, missed], ["hello\n", 0]);
  });

  test("that is invalid is refused", async (t) => {
    const journal = await journalOf(t, "hello");
    for (const since of ["nonsense", "e1:x", "e1:5-9.0.0", "e1:5-1.0", "e1:99"]) {
      await assert.rejects(journal.read({ since }), /cursor/);
    }
  });

  test("does not get stuck in an unterminated string", async (t) => {
    const journal = await journalOf(t, "before\u001b]52;c;");
    let { cursor: since, text } = await journal.read({});
    assert.equal(text, "before");
    for (let at = 0; at < 20; at++) {
      journal.append(encode("QUJD".repeat(5_000)));
      const read = await journal.read({ since });
      assert.equal(read.text, "");
      since = read.cursor;
    }
    assert.ok(Number(since.split(/[:-]/)[1]) > 390_000, since);
    journal.append(encode("\u0007after"));
    ({ text } = await journal.read({ since }));
    assert.equal(text, "after");
  });
});

describe("missing output", () => {
  test("is counted if it was dropped after a cursor, and before the oldest byte", async (t) => {
    const journal = await testJournal(t, size, { segmentBytes: 1_000 });
    journal.append(encode("a".repeat(500)));
    const { cursor } = await journal.read({});
    journal.append(encode(numbered(0, 200)));
    for (const name of readdirSync(journal.folder).filter((file) => /-aaa[a-d]$/.test(file)))
      rmSync(join(journal.folder, name));
    const late = await journal.read({ since: cursor });
    assert.equal(late.missed, 3_500);
    assert.match(late.text, /line 199 of a long output\n$/);
    assert.equal((await journal.read({})).missed, 4_000);
    assert.equal((await journal.read({ lines: 2 })).missed, 0);
  });

  test("is reported when the pipe was reopened, and the text continues on a new line", async (t) => {
    const journal = await journalOf(t, "first\r\nunfinished");
    const { cursor } = await journal.read({});
    journal.newEpoch();
    journal.append(encode("second\r\n"));
    const both = await journal.read({});
    assert.deepEqual([both.text, both.missed], ["first\nunfinished\nsecond\n", 1]);
    const late = await journal.read({ since: cursor });
    assert.deepEqual([late.text.trim(), late.missed], ["second", 1]);
    journal.append(encode("third\r\n"));
    assert.equal((await journal.read({ since: both.cursor })).text, "third\n");
  });
});

describe("exit marks", () => {
  test("are not output, and a cursor after one continues exactly there", async (t) => {
    const journal = await testJournal(t, size);
    journal.append(encode(`one\r\n${journal.mark}two`));
    const { text, cursor } = await journal.read({});
    assert.equal(text, "one\ntwo");
    journal.append(encode(` and three\r\n${journal.mark}`));
    const more = await journal.read({ since: cursor });
    assert.equal(more.text, " and three\n");
    journal.append(encode("four\r\n"));
    assert.equal((await journal.read({ since: more.cursor })).text, "four\n");
  });

  test("reset an unfinished sequence, so that the next program is read from its start", async (t) => {
    const journal = await testJournal(t, size);
    journal.append(encode(`one\r\n\u001b[3${journal.mark}`));
    const { text, cursor } = await journal.read({});
    assert.equal(text, "one\n");
    journal.append(encode("two\r\n"));
    assert.equal((await journal.read({ since: cursor })).text, "two\n");
  });
});
