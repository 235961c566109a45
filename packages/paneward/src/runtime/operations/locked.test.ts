import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryWorld, putTask, putTerminal } from "../../../test/support/memory-world.ts";
import { keyedMutex } from "../../model/keyed-mutex.ts";
import { locked } from "./locked.ts";

test("work on a task and on its terminal happens one after the other, each on the record as it is then", async (t) => {
  const world = await memoryWorld(t);
  const { store, deps } = world;
  const task = putTask(world, { terminal: "t1" });
  putTerminal(world, { task: 1 });
  const lock = { ...deps, lock: keyedMutex() };
  const log: string[] = [];
  const release = Promise.withResolvers<void>();
  const first = locked(lock, "t1", async () => {
    log.push("first");
    await release.promise;
    store.write((writer) => writer.putTask({ ...task, draft: true }));
  });
  const second = locked(lock, "fix", async (found) => {
    log.push(`second ${found.kind === "task" && found.task.draft}`);
    store.write((writer) => writer.removeTask(1));
  });
  const third = locked(lock, "1", async () => void log.push("third"));
  await new Promise(setImmediate);
  assert.deepEqual(log, ["first"]);
  release.resolve();
  await Promise.all([first, second]);
  await assert.rejects(third, { code: "not_found" });
  assert.deepEqual(log, ["first", "second true"]);
});
