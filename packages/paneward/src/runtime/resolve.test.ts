import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryWorld, putTask, putTerminal } from "../../test/support/memory-world.ts";
import { current, lockKey, resolve, resolveTask, resolveTerminal } from "./resolve.ts";

describe("an id", () => {
  test("means a task by id or slug, a terminal by id or name, an agent's terminal by the agent", async (t) => {
    const world = await memoryWorld(t);
    const { deps, agents } = world;
    putTask(world, { terminal: "t1" });
    const ofTask = putTerminal(world, { task: 1 });
    const plain = putTerminal(world);
    const { id: agent } = agents.began(ofTask, "claude", false);
    const meant = (id: string) => lockKey(resolve(deps, id));
    const table = { 1: "task 1", fix: "task 1", "1-fix": "task 1", t1: "task 1", [agent]: "task 1", t2: "terminal t2" };
    for (const [id, key] of Object.entries(table)) assert.equal(meant(id), key, id);
    assert.equal(meant(plain.name), "terminal t2");
    assert.deepEqual([resolveTerminal(deps, "fix").id, resolveTask(deps, "t1").id], ["t1", 1]);
    assert.throws(() => resolveTask(deps, "t2"), { code: "not_found", message: "t2 is a terminal, not a task" });
    assert.throws(() => resolve(deps, ofTask.name), { code: "not_found" });
  });

  test("that could mean two things names both", async (t) => {
    const world = await memoryWorld(t);
    putTask(world, { slug: "job" });
    putTerminal(world, { name: "job" });
    assert.throws(() => resolve(world.deps, "job"), {
      code: "ambiguous",
      message: "job could be 1 (task job) or t1 (terminal job)",
    });
  });

  test("of a task without a terminal says how to start it", async (t) => {
    const world = await memoryWorld(t);
    putTask(world);
    assert.throws(() => resolveTerminal(world.deps, "fix"), { code: "wrong_state", hint: /`paneward start 1`/ });
  });
});

test("a record that was resolved is read again as it is, and not found when it was removed", async (t) => {
  const world = await memoryWorld(t);
  const { deps, store } = world;
  const terminal = putTerminal(world);
  const found = resolve(deps, "t1");
  store.write((writer) => writer.putTerminal({ ...terminal, name: "renamed" }));
  const now = current(deps, found);
  assert.equal(now.kind === "terminal" && now.terminal.name, "renamed");
  store.write((writer) => writer.removeTerminal("t1"));
  assert.throws(() => current(deps, found), { code: "not_found" });
});
