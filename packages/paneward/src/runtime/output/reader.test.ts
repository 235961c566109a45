import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Parsed } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { endTerminal, memoryWorld, putTerminal } from "../../../test/support/memory-world.ts";
import type { PanePlace } from "../../model/records.ts";
import { read } from "./reader.ts";

type Input = Partial<Parsed<"read">>;
type Answer = Awaited<ReturnType<typeof read>>;

/** One running terminal, reads of it, and how often its journal was read. */
async function reading(t: Cleanup) {
  const world = await memoryWorld(t);
  const { deps, terminals } = world;
  const terminal = putTerminal(world);
  const { place } = terminal;
  const terminalAt = ({ server, pane }: PanePlace) =>
    server === place.server && pane === place.pane ? terminal.id : undefined;
  let reads = 0;
  const { read: readBytes } = terminals;
  terminals.read = (...asked) => {
    reads++;
    return readBytes.apply(terminals, asked);
  };
  const ask = (input: Input, signal?: AbortSignal) =>
    read(
      { ...deps, terminalAt },
      terminal,
      { id: "t1", max_bytes: 65_536, wait: 0, ...input },
      { who: "me", ...(signal ? { signal } : {}) },
    );
  /** An answer that may take time; undefined while there is none. */
  const asking = (input: Input, signal?: AbortSignal) => {
    const result: { answer?: Answer; atMs?: number } = {};
    const began = world.clock.monotonic();
    void ask(input, signal).then((answer) => {
      Object.assign(result, { answer, atMs: world.clock.monotonic() - began });
    });
    return result;
  };
  return {
    ...{ ...world, terminal, place, ask, asking },
    print: (text: string) => terminals.print(terminal.journal, place, text),
    end: () => endTerminal(world, terminal.id),
    get reads() {
      return reads;
    },
  };
}

describe("a read", () => {
  test("starts at the oldest byte, at a cursor, or so many lines before the end", async (t) => {
    const { print, ask } = await reading(t);
    print("one\r\ntwo\r\nthree\r\n");
    const all = await ask({});
    assert.deepEqual([all.output, all.lines, all.has_more, all.missed], ["one\ntwo\nthree\n", 3, false, 0]);
    assert.match(all.cursor, /^e1:17/);
    print("four\r\n");
    assert.equal((await ask({ since: all.cursor })).output, "four\n");
    assert.equal((await ask({ lines: 2 })).output, "three\nfour\n");
    assert.equal((await ask({ since: all.cursor, lines: 9, all: true })).output, "one\ntwo\nthree\nfour\n");
    print("five\r\n");
    assert.equal((await ask({ since: all.cursor, lines: 1 })).output, "five\n");
  });

  test("refuses an invalid cursor before anything is read", async (t) => {
    const world = await reading(t);
    world.print("x");
    for (const since of ["nonsense", "e1:x", "e1:5-9.0.0", "e1:5-1.0"]) {
      await assert.rejects(world.ask({ since }), { code: "bad_input", message: /is not a journal cursor/ });
    }
    assert.equal(world.reads, 0);
  });

  const numbers = Array.from({ length: 20_000 }, (_, at) => String(at + 1));

  test("keeps to its budget, says what it left out, and resumes behind it", async (t) => {
    const { print, ask } = await reading(t);
    print(numbers.map((line) => `${line}\r\n`).join(""));
    const { output, left_out, cursor, has_more } = await ask({ max_tokens: 100 });
    assert.match(output, /^1\n2\n[\s\S]*\n\[… \d+ lines, \d+ bytes left out …\]\n[\s\S]*19999\n20000\n$/);
    assert.ok(output.length < 500);
    assert.ok((left_out?.lines ?? 0) > 19_000 && (left_out?.bytes ?? 0) > 100_000);
    assert.equal(has_more, false);
    assert.equal((await ask({ max_bytes: 400 })).output, output);
    assert.equal((await ask({ since: cursor })).output, "");
    const whole = await ask({ max_bytes: 4_194_304 });
    assert.deepEqual([whole.output.split("\n").length, whole.left_out], [20_001, undefined]);
  });

  test("in pages ends where the budget ends, and leaves nothing out", async (t) => {
    const { print, ask } = await reading(t);
    print(numbers.map((line) => `${line}\r\n`).join(""));
    let text = "";
    for (let since: string | undefined, hasMore = true; hasMore; ) {
      const page = await ask({ pages: true, max_bytes: 10_000, since });
      text += page.output;
      since = page.cursor;
      hasMore = page.has_more;
    }
    assert.deepEqual(text.split("\n"), [...numbers, ""]);
  });

  test("gives exactly the last lines, and escape sequences when it is raw", async (t) => {
    const { print, ask } = await reading(t);
    print(numbers.map((line) => `${line}\r\n`).join(""));
    const { output, lines } = await ask({ lines: 3 });
    assert.deepEqual([output, lines], ["19998\n19999\n20000\n", 3]);
    const { cursor } = await ask({});
    print("\u001b[31mred\u001b[0m\r\n");
    assert.equal((await ask({ since: cursor, raw: true })).output, "\u001b[31mred\u001b[0m\r\n");
  });

  test("says how many bytes before it are no longer kept", async (t) => {
    const { print, ask, terminals, terminal } = await reading(t);
    print("one\r\n");
    const { cursor } = await ask({});
    print("two\r\nthree\r\n");
    terminals.dropBytes(terminal.journal, 10);
    const late = await ask({ since: cursor });
    assert.deepEqual([late.output.trim(), late.missed], ["three", 5]);
  });
});

describe("a read that waits", () => {
  test("answers at a change that can be seen, not at one that cannot", async (t) => {
    const { print, ask, asking, clock, terminals } = await reading(t);
    print("ready");
    const { cursor } = await ask({});
    const waiting = asking({ since: cursor, wait: 20 });
    await clock.advance(5_000);
    print("\u001b[31m\u001b[0m");
    await clock.advance(5_000);
    assert.equal(waiting.atMs, undefined);
    print(" news");
    await clock.advance(0);
    assert.deepEqual([waiting.answer?.output, waiting.atMs], [" news", 10_000]);
    assert.deepEqual([clock.waiting, terminals.listening], [0, 0]);
  });

  test("answers with nothing when its time is up, however the machine's clock is set meanwhile", async (t) => {
    for (const jump of [3_600_000, -3_600_000]) {
      const { asking, clock } = await reading(t);
      const waiting = asking({ wait: 20 });
      await clock.advance(1_000);
      clock.setWall(jump);
      await clock.advance(18_999);
      assert.equal(waiting.atMs, undefined);
      await clock.advance(1);
      assert.deepEqual([waiting.answer?.output, waiting.atMs], ["", 20_000]);
    }
  });

  test("answers when the program ends, and when the caller leaves", async (t) => {
    const { asking, clock, end } = await reading(t);
    const leaving = new AbortController();
    const [left, stays] = [asking({ wait: 600 }, leaving.signal), asking({ wait: 600 })];
    await clock.advance(1_000);
    leaving.abort();
    await clock.advance(1_000);
    assert.deepEqual([left.atMs, stays.atMs], [1_000, undefined]);
    end();
    await clock.advance(0);
    assert.deepEqual([stays.atMs, stays.answer?.state], [2_000, "Exited"]);
    const after = asking({ wait: 600 });
    await clock.advance(0);
    assert.equal(after.atMs, 0);
  });

  test("is not woken by a pane with the same id on another tmux server", async (t) => {
    const world = await reading(t);
    const { asking, clock, terminals, place, print } = world;
    const waiting = asking({ wait: 20 });
    await clock.advance(0);
    const before = world.reads;
    terminals.tell({ kind: "output", place: { ...place, server: "server-2" }, old: false });
    await clock.advance(1_000);
    assert.equal(world.reads, before);
    print("news\r\n");
    await clock.advance(0);
    assert.equal(waiting.answer?.output, "news\n");
  });

  test("misses nothing that is printed while it reads", async (t) => {
    const { print, asking, clock, terminals, terminal, place } = await reading(t);
    print("old");
    const { read: readBytes } = terminals;
    let isFirst = true;
    terminals.read = async (...asked) => {
      const bytes = await readBytes.apply(terminals, asked);
      if (isFirst) terminals.print(terminal.journal, place, " new");
      isFirst = false;
      return bytes;
    };
    const waiting = asking({ wait: 20, since: "e1:3" });
    await clock.advance(0);
    assert.deepEqual([waiting.answer?.output.trim(), waiting.atMs], ["new", 0]);
  });
});
