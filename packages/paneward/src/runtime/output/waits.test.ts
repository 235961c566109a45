import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Parsed, Waited } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { endTerminal, memoryWorld, putTask, putTerminal } from "../../../test/support/memory-world.ts";
import { until } from "../../../test/support/until.ts";
import { wait } from "./waits.ts";

type Input = Partial<Parsed<"wait">>;

async function waiting(t: Cleanup, count = 1) {
  const world = await memoryWorld(t);
  const { deps, clock, terminals } = world;
  const made = Array.from({ length: count }, () => putTerminal(world));
  const asking = (input: Input, signal?: AbortSignal) => {
    const began = clock.monotonic();
    const result: { results?: readonly Waited[]; atMs?: number; error?: Error } = {};
    const asked = {
      ids: made.map(({ id }) => id),
      mode: "all",
      for: [{ kind: "exited" }],
      timeout: 60,
      ...input,
    } as const;
    wait(deps, asked as Parsed<"wait">, { who: "me", ...(signal ? { signal } : {}) }).then(
      ({ results }) => Object.assign(result, { results, atMs: clock.monotonic() - began }),
      (error: Error) => Object.assign(result, { error }),
    );
    return result;
  };
  const print = (id: string, text: string) => {
    const terminal = made.find((one) => one.id === id);
    if (terminal) terminals.print(terminal.journal, terminal.place, text);
  };
  const tick = () => world.store.write((writer) => writer.append("tasks_changed", { reason: "test" }));
  return { ...world, asking, print, tick, made };
}

const printed = (pattern: string) => [{ kind: "output" as const, pattern }];
const resumeIn = (results: readonly Waited[] = []) => {
  const late = results.at(-1);
  return late?.kind === "timed_out" ? late.resume : assert.fail("it did not time out");
};

describe("a wait", () => {
  test("for all answers when the last one is true, in the order of the ids; for any at the first", async (t) => {
    const world = await waiting(t, 2);
    const [all, any] = [world.asking({}), world.asking({ mode: "any" })];
    await world.clock.advance(1_000);
    endTerminal(world, "t2", { kind: "exited", code: 7 });
    await world.clock.advance(1_000);
    assert.deepEqual(any, { results: [{ kind: "exited", id: "t2", code: 7 }], atMs: 1_000 });
    assert.equal(all.atMs, undefined);
    endTerminal(world, "t1", { kind: "killed", signal: 9 });
    await world.clock.advance(0);
    assert.deepEqual(all.results, [
      { kind: "killed", id: "t1", signal: 9 },
      { kind: "exited", id: "t2", code: 7 },
    ]);
    assert.deepEqual([world.clock.waiting, world.terminals.listening], [0, 0]);
  });

  test("answers at once when it is true already, also twice the same id", async (t) => {
    const world = await waiting(t);
    endTerminal(world, "t1");
    const both = world.asking({ ids: ["t1", "t1"] });
    await world.clock.advance(0);
    assert.deepEqual(both, { results: [{ kind: "exited", id: "t1", code: 0 }], atMs: 0 });
  });

  test("for idle or input answers with the status; an end answers every wait", async (t) => {
    const world = await waiting(t, 3);
    const idle = world.asking({ ids: ["t1"], for: [{ kind: "idle" }] });
    const input = world.asking({ ids: ["t2"], for: [{ kind: "needs_input" }] });
    const ended = world.asking({ ids: ["t3"], for: [{ kind: "idle" }] });
    world.attention.says("t1", "idle");
    world.attention.says("t2", "needs_input");
    world.tick();
    endTerminal(world, "t3", { kind: "lost", reason: "gone" });
    await world.clock.advance(0);
    assert.deepEqual(
      [idle.results, input.results, ended.results],
      [[{ kind: "idle", id: "t1" }], [{ kind: "needs_input", id: "t2" }], [{ kind: "lost", id: "t3", reason: "gone" }]],
    );
  });

  test("on a task follows it to its next terminal", async (t) => {
    const world = await waiting(t, 2);
    putTask(world, { terminal: "t1" });
    const waited = world.asking({ ids: ["fix"] });
    await world.clock.advance(1_000);
    putTask(world, { terminal: "t2" });
    endTerminal(world, "t1");
    await world.clock.advance(1_000);
    assert.equal(waited.atMs, undefined);
    endTerminal(world, "t2", { kind: "exited", code: 5 });
    await world.clock.advance(0);
    assert.deepEqual(waited.results, [{ kind: "exited", id: "fix", code: 5 }]);
  });

  test("fails for an id that means nothing, and for one that is removed meanwhile", async (t) => {
    const { asking, clock, store, tick } = await waiting(t);
    const [never, later] = [asking({ ids: ["t1", "t9"] }), asking({})];
    await clock.advance(0);
    assert.match(never.error?.message ?? "", /there is no task or terminal "t9"/);
    store.write((writer) => writer.removeTerminal("t1"));
    tick();
    await clock.advance(0);
    assert.match(later.error?.message ?? "", /there is no task or terminal "t1"/);
    assert.equal(clock.waiting, 0);
  });

  test("ends on time, however the machine's clock is set meanwhile", async (t) => {
    for (const jump of [86_400_000, -86_400_000]) {
      const { asking, clock } = await waiting(t);
      const waited = asking({ timeout: 60 });
      await clock.advance(1_000);
      clock.setWall(jump);
      await clock.advance(58_999);
      assert.equal(waited.atMs, undefined);
      await clock.advance(1);
      assert.deepEqual([waited.results?.[0]?.kind, waited.atMs], ["timed_out", 60_000]);
    }
  });

  test("ends when its caller leaves", async (t) => {
    const { asking, clock } = await waiting(t);
    const leaving = new AbortController();
    const waited = asking({}, leaving.signal);
    await clock.advance(1_000);
    leaving.abort();
    await clock.advance(0);
    assert.deepEqual([waited.results?.[0]?.kind, waited.atMs], ["timed_out", 1_000]);
  });
});

// Patterns are searched on a thread of its own, in real time.
describe("a wait for output", () => {
  test("finds a line that is printed later, and one that was printed before", async (t) => {
    const { asking, clock, print } = await waiting(t);
    print("t1", "starting\r\n");
    const waited = asking({ for: printed("^ready") });
    await clock.advance(1_000);
    print("t1", "rea");
    await clock.advance(1_000);
    print("t1", "dy on 80\r\n");
    await until("the line is found", () => waited.results);
    assert.deepEqual(waited, { results: [{ kind: "output", id: "t1", match: "ready on 80" }], atMs: 2_000 });
    const again = asking({ for: printed("start") });
    await until("the earlier line is found", () => again.results);
    assert.deepEqual(again.results, [{ kind: "output", id: "t1", match: "starting" }]);
  });

  test("finds what a program printed last before it reports the end", async (t) => {
    const world = await waiting(t);
    const [last, none] = [world.asking({ for: printed("bye") }), world.asking({ for: printed("hello") })];
    await world.clock.advance(0);
    world.print("t1", "good bye");
    endTerminal(world, "t1", { kind: "exited", code: 3 });
    await until("both waits return", () => last.results && none.results);
    assert.deepEqual(last.results, [{ kind: "output", id: "t1", match: "good bye" }]);
    assert.deepEqual(none.results, [{ kind: "exited", id: "t1", code: 3 }]);
  });

  test("searches again what came while it searched", async (t) => {
    const { asking, terminals, made } = await waiting(t);
    const [terminal] = made;
    const { read } = terminals;
    let isFirst = true;
    terminals.read = async (...asked) => {
      const bytes = await read.apply(terminals, asked);
      if (isFirst && terminal) terminals.print(terminal.journal, terminal.place, "ready\r\n");
      isFirst = false;
      return bytes;
    };
    const waited = asking({ for: printed("ready") });
    await until("the line is found", () => waited.results);
    assert.deepEqual([waited.results?.[0]?.kind, waited.atMs], ["output", 0]);
  });

  test("that timed out resumes: what was true stays so, and output is searched from where it stopped", async (t) => {
    const world = await waiting(t, 2);
    const { asking, clock, print, terminals } = world;
    print("t1", "noise\r\n".repeat(20_000));
    endTerminal(world, "t2", { kind: "exited", code: 1 });
    const first = asking({ for: printed("ready"), timeout: 5 });
    await clock.advance(5_000);
    await until("the wait times out", () => first.results);
    assert.deepEqual(first.results?.[0], { kind: "exited", id: "t2", code: 1 });
    const read: number[] = [];
    const { read: readBytes } = terminals;
    terminals.read = async (...asked) => {
      const chunk = await readBytes.apply(terminals, asked);
      read.push(chunk.bytes.length);
      return chunk;
    };
    const second = asking({ for: printed("ready"), timeout: 60, resume: resumeIn(first.results) });
    await clock.advance(1_000);
    print("t1", "ready\r\n");
    await until("the line is found", () => second.results);
    assert.deepEqual(second.results, [
      { kind: "output", id: "t1", match: "ready" },
      { kind: "exited", id: "t2", code: 1 },
    ]);
    const total = read.reduce((sum, one) => sum + one, 0);
    assert.ok(total <= 2 * 65_536 + 100, `${total} bytes of 140,000 were read again`);
  });

  test("refuses a pattern and a token that cannot be read", async (t) => {
    const { asking, clock } = await waiting(t);
    const [pattern, token] = [asking({ for: printed("(") }), asking({ resume: "nonsense" })];
    await clock.advance(0);
    assert.match(pattern.error?.message ?? "", /is not a regular expression/);
    assert.match(token.error?.message ?? "", /resume token/);
  });
});
