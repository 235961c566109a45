import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import { until } from "../../../test/support/until.ts";
import { keyedMutex } from "../../model/keyed-mutex.ts";
import { removeTask } from "../tasks/undo.ts";
import type { WorkAmounts } from "../tasks/work-amounts.ts";
import { listOperations } from "./list-operations.ts";
import { taskOperations } from "./task-operations.ts";

const caller = { who: "uid:7", scope: "admin", door: "cli" } as const;

async function operated(t: Cleanup) {
  const world = await memoryTasks(t);
  const { deps, questions, attention } = world;
  const amounts = { known: () => undefined, refresh: async () => {}, forget() {} } as unknown as WorkAmounts;
  const all = { ...deps, questions, attention: attention.port, amounts, lock: keyedMutex() };
  const operations = { ...taskOperations(all), ...listOperations(all) };
  const add = (text: string, draft = false, root = "/repo") => operations.new({ root, text, draft });
  const listed = async (more: { readonly all?: boolean } = {}) =>
    (await operations.ps(more)).tasks.map(({ slug, status }) => `${slug} ${status}`);
  return { ...world, operations, add, listed };
}

describe("tasks", () => {
  test("of two repositories with the same text have names of their own", async (t) => {
    const { add, operations, terminals } = await operated(t);
    const [one, two] = [await add("fix", false, "/repo-one"), await add("fix", false, "/repo-two")];
    assert.deepEqual([one.root, two.root], ["/repo-one", "/repo-two"]);
    assert.deepEqual([one.slug, two.slug, two.session], ["fix", "fix2", "paneward-2-fix2"]);
    assert.deepEqual(terminals.log, ["open paneward-1-fix mine --go fix", "open paneward-2-fix2 mine --go fix"]);
    assert.throws(() => operations.start({ id: "nothing" }), { code: "not_found" });
  });

  test("of two starts at once one wins, and the other is refused because it runs already", async (t) => {
    const { add, operations, terminals, listed } = await operated(t);
    await add("go", true);
    assert.deepEqual(await listed(), ["go Draft"]);
    const outcomes = await Promise.allSettled([operations.start({ id: "1" }), operations.start({ id: "go" })]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    const [, refused] = outcomes;
    assert.match(refused?.status === "rejected" ? String(refused.reason) : "", /already started/);
    assert.equal(terminals.log.length, 1);
    assert.deepEqual(await listed(), ["go Running"]);
  });

  test("that were removed come back one undo of each at a time, also when several are asked for at once", async (t) => {
    const { deps, add, operations, worktrees, store } = await operated(t);
    for (const text of ["one", "two"]) await add(text);
    for (const task of store.tasks()) await removeTask(deps, task, "uid:7");
    const restored: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { restore } = worktrees;
    worktrees.restore = async (task, ...rest) => {
      restored.push(`begin ${task.id}`);
      if (task.id === 1) await gate.promise;
      const dirs = await restore.call(worktrees, task, ...rest);
      restored.push(`end ${task.id}`);
      return dirs;
    };
    const undo = (id?: number) => operations.undo({ id, end_program: false }, caller);
    const asked = [undo(), undo(), undo(1)];
    const undoing = Promise.allSettled(asked);
    let isRefused = false;
    asked[1]?.catch(() => {
      isRefused = true;
    });
    await until("the second is over", () => isRefused || restored.length > 3);
    gate.resolve();
    const codes = (await undoing).map((one) => (one.status === "fulfilled" ? one.value.task.slug : one.reason.code));
    assert.deepEqual(codes, ["two", "wrong_state", "one"]);
    assert.deepEqual(
      store
        .tasks()
        .map(({ slug }) => slug)
        .toSorted(),
      ["one", "two"],
    );
    const ofOne = restored.filter((step) => step.endsWith("1"));
    assert.deepEqual(ofOne, ["begin 1", "end 1"], "one undo of a task at a time");
  });

  test("that were changed by hand are announced to every client by refresh, with its reason", async (t) => {
    const { operations, store } = await operated(t);
    assert.deepEqual(await operations.refresh({ reason: "moved a worktree" }), { told: true });
    const { type, data } = store.events(0, 10_000).at(-1) ?? {};
    assert.deepEqual([type, data], ["tasks_changed", { reason: "moved a worktree" }]);
  });

  test("that are complete are so whatever they do, and keep everything", async (t) => {
    const { add, operations, listed, store, worktrees, events } = await operated(t);
    const task = await add("go");
    for (let time = 0; time < 2; time++) {
      assert.equal((await operations.complete({ id: "1" }, caller)).status, "Completed");
    }
    assert.ok(worktrees.trees.has(task.worktree));
    assert.equal(store.terminal("t1")?.phase, "running");
    assert.deepEqual([await listed(), await listed({ all: true })], [[], ["go Completed"]]);
    assert.deepEqual(events("task_completed"), ["task_completed 1"]);
  });
});
