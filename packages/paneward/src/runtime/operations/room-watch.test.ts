import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { endTerminal, memoryWorld, putTerminal } from "../../../test/support/memory-world.ts";
import { watchRoom } from "./room-watch.ts";

async function watched(t: Cleanup) {
  const world = await memoryWorld(t);
  const free = { bytes: 1e9, files: 1e6 };
  const machine = { ...world.deps.machine, free: async () => free };
  const watching = watchRoom({ ...world.deps, machine });
  t.after(watching.stop);
  /** What is free from now on, as seen a moment later. */
  const seen = async (bytes: number, files = 1e6) => {
    Object.assign(free, { bytes, files });
    await world.clock.advance(1_000);
  };
  const states = () => world.dataOf("storage_changed").map((data) => Reflect.get(data as object, "state"));
  const reopened = () => world.terminals.log.filter((line) => line.startsWith("reopen"));
  return { ...world, seen, states, reopened };
}

describe("a disk without room for output, on which the database can still be written", () => {
  for (const [what, bytes, files] of [
    ["bytes", 0, 1e6],
    ["files", 1e9, 0],
  ] as const) {
    test(`that lacks ${what} is reported once, and every running terminal gets a new pipe when there is room`, async (t) => {
      const world = await watched(t);
      const [runs, ended] = [putTerminal(world), putTerminal(world)];
      endTerminal(world, ended.id);
      await world.seen(bytes, files);
      await world.seen(bytes, files);
      assert.deepEqual(world.states(), ["full"]);
      assert.deepEqual(world.reopened(), []);
      await world.seen(1e9);
      await world.seen(1e9);
      assert.deepEqual(world.states(), ["full", "ok"]);
      assert.deepEqual(world.reopened(), [`reopen journal of ${runs.place?.pane}`]);
    });
  }

  test("that is nearly full all the time is not reported repeatedly", async (t) => {
    const { seen, states } = await watched(t);
    for (const bytes of [0, 100_000, 0, 500_000, 60_000]) await seen(bytes);
    assert.deepEqual(states(), ["full"]);
    await seen(2e6);
    for (const bytes of [100_000, 900_000]) await seen(bytes);
    assert.deepEqual(states(), ["full", "ok"]);
  });
});
