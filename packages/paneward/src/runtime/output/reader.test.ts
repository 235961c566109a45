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
    read({ ...deps, terminalAt }, terminal, { id: "t1", max_bytes: 65_536, wait: 0, ...input }, signal);
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

  test("refuses what is no cursor before anything is read", async (t) => {
    const world = await reading(t);
    world.print("x");
    for (const since of ["nonsense", "e1:x", "e1:5-9.0.0", "e1:5-1.0"]) {
      await assert.rejects(world.ask({ since }), { code: "bad_input", message: /is not a journal cursor/ });
    }
    assert.equal(world.reads, 0);
  });

  test("keeps to its budget, or with pages ends where the budget ends", async (t) => {
    const { print, ask } = await reading(t);
    print(Array.from({ length: 100 }, (_, at) => `line ${at}\r\n`).join(""));
    const cut = await ask({ max_bytes: 100 });
    assert.match(cut.output, /^line 0\n[\s\S]*left out …\]\n[\s\S]*line 99\n$/);
    assert.ok((cut.left_out?.lines ?? 0) > 80);
    assert.equal((await ask({ max_tokens: 25 })).output, cut.output);
    const page = await ask({ max_bytes: 100, pages: true });
    assert.deepEqual([page.has_more, page.left_out], [true, undefined]);
    const rest = await ask({ since: page.cursor });
    assert.equal(page.output + rest.output, (await ask({})).output);
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
  test("answers at the first output that can be seen", async (t) => {
    const { print, asking, clock, terminals } = await reading(t);
    const waiting = asking({ wait: 20 });
    await clock.advance(5_000);
    print("\u001b[31m");
    await clock.advance(5_000);
    assert.equal(waiting.atMs, undefined);
    print("red\r\n");
    await clock.advance(0);
    assert.deepEqual([waiting.answer?.output, waiting.atMs], ["red\n", 10_000]);
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
