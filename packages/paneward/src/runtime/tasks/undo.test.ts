import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import { until } from "../../../test/support/until.ts";
import { keyedMutex } from "../../model/keyed-mutex.ts";
import type { TaskRecord } from "../../model/records.ts";
import { startTask } from "./tasks.ts";
import { endedByUndo, finishRemovals, removeTask, resetTask, undoable, undoLast } from "./undo.ts";

/** A task that runs and has an uncommitted file. */
async function working(t: Cleanup) {
  const world = await memoryTasks(t);
  const task = await world.started();
  world.worktrees.trees.get(task.worktree)?.push("dirty");
  world.worktrees.log.length = 0;
  world.terminals.log.length = 0;
  await world.clock.advance(60_000);
  return { ...world, task };
}

describe("a removed task", () => {
  test("is stopped, its work saved, and what undo needs recorded before anything is removed", async (t) => {
    const { deps, task, store, worktrees, terminals, events, removed } = await working(t);
    const { remove } = worktrees;
    worktrees.remove = async (one) => {
      assert.equal(store.undos().length, 1);
      return remove.call(worktrees, one);
    };
    const ref = await removeTask(deps, task, "uid:7");
    assert.match(ref ?? "", /^refs\/paneward\/rescue\/1-/);
    assert.deepEqual(terminals.log, ["signal 101 TERM", ...Array(2).fill("close paneward-1-fix-the-login")]);
    assert.deepEqual(worktrees.log, ["rescue dirty", `remove ${task.worktree}`]);
    assert.deepEqual([store.tasks(), store.terminals()], [[], []]);
    assert.deepEqual(removed, [`${deps.places.tasks}/1`]);
    assert.deepEqual(events("task_").slice(-2), ["task_stopped 1", "task_removed 1"]);
  });

  test("comes back with its files and without a terminal, once", async (t) => {
    const { deps, task, store, worktrees, events } = await working(t);
    await removeTask(deps, task, "uid:7");
    const { undone, task: back } = await undoLast(deps, undefined, "uid:7", false);
    assert.deepEqual([undone, back.id, back.terminal, back.hasWorktree], ["rm", 1, undefined, true]);
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
    assert.deepEqual([store.task(1), events("task_").at(-1)], [back, "task_restored 1"]);
    await assert.rejects(undoLast(deps, undefined, "uid:7", false), {
      code: "wrong_state",
      message: "nothing to undo",
    });
  });

  test("whose work its base has comes back where its branch was", async (t) => {
    const { deps, task, worktrees } = await working(t);
    worktrees.trees.set(task.worktree, []);
    worktrees.branches.set(task.branch, "c7");
    const kept: unknown[] = [];
    worktrees.restore = async (_task, from) => {
      kept.push(from);
      return { root: "/repo/.git", common: "/repo/.git" };
    };
    await removeTask(deps, task, "uid:7");
    await undoLast(deps, 1, "uid:7", false);
    assert.deepEqual(kept, [{ head: "c7" }]);
  });

  test("whose worktree was left by a crash comes back too, and what is in the way is saved", async (t) => {
    const { deps, task, worktrees } = await working(t);
    await removeTask(deps, task, "uid:7");
    worktrees.trees.set(task.worktree, ["left"]);
    worktrees.log.length = 0;
    await undoLast(deps, 1, "uid:7", false);
    assert.deepEqual(worktrees.log, ["rescue left", `remove ${task.worktree}`, `restore ${task.worktree}`]);
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
  });
});

describe("a reset task", () => {
  test("starts over from where its base is now, prepared and stopped", async (t) => {
    const { deps, task, store, worktrees, clock, events } = await working(t);
    worktrees.branches.set("main", "c5");
    const { task: fresh, rescue } = await resetTask(deps, { ...task, completedAt: 5 }, "uid:7");
    assert.match(rescue ?? "", /rescue/);
    assert.deepEqual(
      [fresh.baseCommit, fresh.terminal, fresh.completedAt, fresh.hasWorktree, fresh.laidAt],
      ["c5", undefined, undefined, true, clock.now()],
    );
    assert.deepEqual(store.terminals(), []);
    assert.deepEqual(worktrees.log, [
      "rescue dirty",
      `remove ${task.worktree}`,
      `create ${task.worktree} at c5`,
      "bootstrap",
    ]);
    assert.deepEqual(worktrees.trees.get(task.worktree), []);
    assert.ok(events("task_").includes("task_reset 1"));
  });

  test("is undone to the state before, and that undo can be undone", async (t) => {
    const { deps, task, worktrees } = await working(t);
    await resetTask(deps, task, "uid:7");
    worktrees.trees.get(task.worktree)?.push("later");
    assert.equal((await undoLast(deps, 1, "uid:7", false)).undone, "reset");
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
    await undoLast(deps, 1, "uid:7", false);
    assert.deepEqual(worktrees.trees.get(task.worktree), ["later"]);
  });
});

/** Like a daemon that is killed there: what was done before stays, and nothing is done after. */
async function killedIn(
  { worktrees }: Awaited<ReturnType<typeof working>>,
  step: "remove" | "restore",
  work: () => Promise<unknown>,
): Promise<void> {
  const whole = { [step]: worktrees[step] };
  const killed = async () => {
    throw new Error("killed");
  };
  Object.assign(worktrees, { [step]: killed });
  await assert.rejects(work(), /killed/);
  Object.assign(worktrees, whole);
  worktrees.log.length = 0;
}

describe("what a killed daemon had begun", () => {
  test("a removal: the next daemon ends it, saves what came since, and undo brings the task back", async (t) => {
    const world = await working(t);
    const { deps, task, worktrees, store } = world;
    await killedIn(world, "remove", () => removeTask(deps, task, "uid:7"));
    worktrees.trees.get(task.worktree)?.push("since");
    await finishRemovals(deps, keyedMutex());
    assert.deepEqual(worktrees.log, ["rescue dirty since", `remove ${task.worktree}`]);
    assert.deepEqual(
      store.undos().map(({ leftover }) => leftover),
      [undefined],
    );
    await finishRemovals(deps, keyedMutex());
    assert.equal(worktrees.log.length, 2);
    await undoLast(deps, 1, "uid:7", true);
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
  });

  test("a `new`: `rm` removes the worktree that was not recorded yet", async (t) => {
    const { deps, task, worktrees } = await working(t);
    await removeTask(deps, { ...task, hasWorktree: false, draft: true }, "uid:7");
    assert.deepEqual(worktrees.log, ["rescue dirty", `remove ${task.worktree}`]);
    worktrees.log.length = 0;
    await removeTask(deps, { ...task, hasWorktree: false, draft: true }, "uid:7");
    assert.deepEqual(worktrees.log, [], "a draft has nothing, and a branch of its name is the user's");
  });

  test("a `new`, before there was a worktree: `rm` removes what there is of it, and nothing after one that was refused", async (t) => {
    const { deps, store, worktrees, made } = await working(t);
    const { create } = worktrees;
    const tries: ((task: TaskRecord, onBegin?: () => void) => Promise<never>)[] = [
      async (_task, onBegin) => {
        onBegin?.();
        return new Promise(() => {});
      },
      async (_task, onBegin) => {
        onBegin?.();
        throw new PanewardError("wrong_state", "something is in the way");
      },
    ];
    for (const broken of tries) {
      worktrees.create = broken;
      const { id } = await made();
      const starting = startTask(deps, store.task(id) ?? assert.fail()).catch(() => {});
      await Promise.race([starting, until("it began", () => store.task(id)?.unprepared)]);
      worktrees.create = create;
      worktrees.log.length = 0;
      const killed = store.task(id) ?? assert.fail();
      await removeTask(deps, killed, "uid:7");
      assert.equal(worktrees.log.includes(`remove ${killed.worktree}`), broken === tries[0]);
    }
  });

  test("a removal that was undone since is not ended", async (t) => {
    const world = await working(t);
    const { deps, task, worktrees } = world;
    await killedIn(world, "remove", () => removeTask(deps, task, "uid:7"));
    await undoLast(deps, 1, "uid:7", true);
    await finishRemovals(deps, keyedMutex());
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
  });

  test("an undo of `rm`: the next daemon removes what it made, saves what came since, and it can be repeated", async (t) => {
    const { deps, task, worktrees, store } = await working(t);
    await removeTask(deps, task, "uid:7");
    const { restore } = worktrees;
    worktrees.restore = async ({ worktree }, _kept, onBegin) => {
      onBegin?.();
      worktrees.trees.set(worktree, ["half"]);
      throw new Error("killed");
    };
    await assert.rejects(undoLast(deps, 1, "uid:7", true), /killed/);
    worktrees.restore = restore;
    worktrees.trees.get(task.worktree)?.push("since");
    worktrees.log.length = 0;
    await finishRemovals(deps, keyedMutex());
    assert.deepEqual(worktrees.log, ["rescue half since", `remove ${task.worktree}`]);
    await undoLast(deps, undefined, "uid:7", true);
    assert.deepEqual(worktrees.trees.get(task.worktree), ["dirty"]);
    assert.deepEqual(store.undos(), []);
  });

  test("an undo of `rm` that was refused: what is there is somebody else's, and stays", async (t) => {
    const { deps, task, worktrees } = await working(t);
    await removeTask(deps, task, "uid:7");
    worktrees.restore = async () => {
      throw new PanewardError("wrong_state", "the branch has newer work");
    };
    await assert.rejects(undoLast(deps, 1, "uid:7", true), { code: "wrong_state" });
    worktrees.trees.set(task.worktree, ["of somebody else"]);
    await finishRemovals(deps, keyedMutex());
    assert.deepEqual(worktrees.trees.get(task.worktree), ["of somebody else"]);
  });

  test("a reset: the next start ends it, and works in a fresh worktree", async (t) => {
    const world = await working(t);
    const { deps, task, worktrees, store } = world;
    worktrees.branches.set("main", "c5");
    await killedIn(world, "remove", () => resetTask(deps, task, "uid:7"));
    const { leftover, hasWorktree } = await startTask(deps, store.task(1) ?? task);
    assert.deepEqual([leftover, hasWorktree, worktrees.trees.get(task.worktree)], [undefined, true, []]);
    const expected = ["rescue dirty", `remove ${task.worktree}`, `create ${task.worktree} at c5`, "bootstrap"];
    assert.deepEqual(worktrees.log, expected);
  });

  test("a reset: `rm` removes the worktree that it left", async (t) => {
    const world = await working(t);
    const { deps, task, worktrees, store } = world;
    await killedIn(world, "remove", () => resetTask(deps, task, "uid:7"));
    await removeTask(deps, store.task(1) ?? task, "uid:7");
    assert.equal(worktrees.trees.has(task.worktree), false);
  });

  test("an undo: repeated, it restores the same, and the work after the reset can still be brought back", async (t) => {
    const world = await working(t);
    const { deps, task, worktrees, store } = world;
    await resetTask(deps, task, "uid:7");
    worktrees.trees.get(task.worktree)?.push("later");
    await killedIn(world, "restore", () => undoLast(deps, 1, "uid:7", true));
    await undoLast(deps, 1, "uid:7", true);
    assert.deepEqual([worktrees.trees.get(task.worktree), store.task(1)?.leftover], [["dirty"], undefined]);
    await undoLast(deps, 1, "uid:7", true);
    assert.deepEqual([worktrees.trees.get(task.worktree), store.task(1)?.leftover], [["later"], undefined]);
  });
});

describe("a program of a task", () => {
  test("is not ended by an undo that does not say so; it says what it would undo", async (t) => {
    const { deps, terminals, store } = await before(t, "undo");
    assert.equal(endedByUndo(deps, undoable(deps, 1))?.phase, "running");
    for (const id of [1, undefined]) {
      await assert.rejects(undoLast(deps, id, "uid:7", false), {
        code: "wrong_state",
        message: /the program of task 1 .* is running, and undoing the reset would end it/,
        hint: /`paneward undo 1 --yes`/,
      });
    }
    assert.deepEqual([terminals.log, store.terminals().length, store.undos().length], [[], 1, 1]);
    assert.equal((await undoLast(deps, 1, "uid:7", true)).undone, "reset");
    assert.deepEqual(store.terminals(), []);
  });

  const removals = [
    ["rm", ({ deps, task }) => removeTask(deps, task, "uid:7")],
    ["reset", ({ deps, task }) => resetTask(deps, task, "uid:7")],
    ["undo", ({ deps }) => undoLast(deps, 1, "uid:7", true)],
  ] as const satisfies readonly (readonly [string, (world: Awaited<ReturnType<typeof working>>) => Promise<unknown>])[];
  /** For undo: a task that was reset and works again. */
  const before = async (t: Cleanup, what: string) => {
    const world = await working(t);
    if (what !== "undo") return world;
    const { task } = await resetTask(world.deps, world.task, "uid:7");
    const again = await startTask(world.deps, task);
    world.terminals.log.length = 0;
    return { ...world, task: again };
  };
  const broken = async () => {
    throw new PanewardError("storage_full", "git is broken", { hint: "mend it" });
  };

  for (const [what, remove] of removals) {
    test(`continues if ${what} finds beforehand that git fails`, async (t) => {
      const world = await before(t, what);
      world.worktrees.requireRemovable = broken;
      await assert.rejects(remove(world), { code: "storage_full", message: "git is broken", hint: "mend it" });
      assert.deepEqual([world.terminals.log, world.store.terminal(world.task.terminal ?? "")?.phase], [[], "running"]);
    });

    test(`that ${what} ended is named if git fails afterwards`, async (t) => {
      const world = await before(t, what);
      world.worktrees.rescue = broken;
      await assert.rejects(remove(world), {
        code: "storage_full",
        message: "git is broken; task 1 is still there, but its program was ended",
        hint: "mend it; `paneward start 1` runs it again",
      });
      assert.equal(world.store.tasks().length, 1);
    });
  }
});

test("the newest can be undone, of one task or of all", async (t) => {
  const { deps, task, started } = await working(t);
  const other = await started("Other");
  await removeTask(deps, task, "uid:7");
  await removeTask(deps, other, "uid:7");
  assert.deepEqual([undoable(deps, undefined).task.id, undoable(deps, 1).task.id], [2, 1]);
  assert.throws(() => undoable(deps, 3), { code: "wrong_state", message: "nothing to undo for task 3" });
});
