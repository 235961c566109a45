import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryWorld, putTerminal } from "../../../test/support/memory-world.ts";
import { readAdopted } from "./adopted-read.ts";

async function shown(t: Parameters<typeof memoryWorld>[0]) {
  const world = await memoryWorld(t);
  const { deps, terminals, clock } = world;
  const place = terminals.has({}, "mine", "tmux:/s");
  const terminal = putTerminal(world, { host: "tmux:/s", place });
  const asking = (since: string | undefined, wait: number, signal?: AbortSignal) => {
    const began = clock.monotonic();
    const result: { output?: string; cursor?: string; atMs?: number } = {};
    void readAdopted(deps, terminal, { since, wait }, signal).then(({ output, cursor }) => {
      Object.assign(result, { output, cursor, atMs: clock.monotonic() - began });
    });
    return result;
  };
  return { ...world, terminal, place, asking };
}

test("the screen is all there is to read, and its cursor says which screen it was", async (t) => {
  const { terminals, place, asking, clock } = await shown(t);
  terminals.show(place, "hello", "");
  const first = asking(undefined, 0);
  await clock.advance(0);
  assert.equal(first.output, "hello");
  assert.match(first.cursor ?? "", /^screen-[0-9a-f]{16}$/);
  const same = asking(first.cursor, 0);
  await clock.advance(0);
  assert.deepEqual([same.output, same.cursor], ["", first.cursor]);
});

test("a wait ends with a different screen, with its time, with the caller, or with the program", async (t) => {
  const { terminals, place, asking, clock, store, terminal } = await shown(t);
  terminals.show(place, "hello");
  const first = asking(undefined, 0);
  await clock.advance(0);
  const leaving = new AbortController();
  const [late, left, changed] = [
    asking(first.cursor, 2),
    asking(first.cursor, 20, leaving.signal),
    asking(first.cursor, 20),
  ];
  await clock.advance(1_900);
  clock.setWall(3_600_000);
  assert.equal(late.atMs, undefined);
  await clock.advance(100);
  assert.deepEqual([late.atMs, late.output], [2_000, ""]);
  await clock.advance(200);
  leaving.abort();
  await clock.advance(0);
  assert.deepEqual([left.atMs, left.output], [2_200, ""]);
  terminals.show(place, "hello you");
  await clock.advance(500);
  assert.equal(changed.output, "hello you");
  const ended = asking(changed.cursor, 20);
  await clock.advance(600);
  store.write((writer) => writer.putTerminal({ ...terminal, phase: "ended" }));
  await clock.advance(500);
  assert.deepEqual([ended.output, ended.atMs], ["", 1_000]);
  assert.equal(clock.waiting, 0);
});

test("what an ended program showed was not kept", async (t) => {
  const { deps, terminal } = await shown(t);
  const ended = { ...terminal, phase: "ended" } as const;
  await assert.rejects(readAdopted(deps, ended, { since: undefined, wait: 0 }), { code: "wrong_state" });
});
