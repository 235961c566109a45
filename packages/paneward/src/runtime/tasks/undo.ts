import { PanewardError } from "@paneward/sdk";
import type { keyedMutex } from "../../model/keyed-mutex.ts";
import type { Kept, TaskRecord, TerminalRecord, UndoRecord } from "../../model/records.ts";
import type { World } from "../world.ts";
import { afterEnding } from "./after-ending.ts";
import type { TaskDeps } from "./resume.ts";
import type { Variables } from "./task-launch.ts";
import { nameOf, prepare } from "./tasks.ts";

/** Stops the agent, saves unmerged work, and starts over from the base. */
export function resetTask(
  deps: TaskDeps,
  task: TaskRecord,
  by: string,
  given: Variables = {},
): Promise<{ readonly task: TaskRecord; readonly rescue?: string }> {
  return afterEnding(deps, task, by, async () => {
    const undo = await undoFor(deps, task, "reset");
    const { baseCommit: _commit, completedAt: _completed, terminal: _terminal, leftover: _leftover, ...rest } = task;
    const baseCommit = task.base === undefined ? task.baseCommit : await deps.worktrees.branchCommit(task, task.base);
    const laidAt = deps.clock.now();
    const fresh: TaskRecord = { ...rest, laidAt, ...(baseCommit === undefined ? {} : { baseCommit }) };
    deps.store.write((writer) => {
      if (task.terminal !== undefined) writer.removeTerminal(task.terminal);
      writer.putUndo(undo);
      writer.putTask({ ...fresh, ...(task.hasWorktree && { leftover: true }) });
      writer.append("task_reset", { ...nameOf(task), ...rescueOf(undo) });
    });
    if (task.hasWorktree) await deps.worktrees.remove(task);
    return { task: await prepare(deps, { ...fresh, hasWorktree: false }, given), ...rescueOf(undo) };
  });
}

/** Stops the agent, saves unmerged work, and removes branch and worktree. Returns where the work was saved. */
export async function removeTask(deps: TaskDeps, given: TaskRecord, by: string): Promise<string | undefined> {
  // A `new` that was killed may have made the worktree, or a part of it, before that was recorded.
  const hasWorktree = given.hasWorktree || given.unprepared === true || (await deps.worktrees.exists(given));
  const task = { ...given, hasWorktree };
  return afterEnding(deps, task, by, async () => {
    const undo = { ...(await undoFor(deps, task, "rm")), leftover: true };
    deps.store.write((writer) => {
      if (task.terminal !== undefined) writer.removeTerminal(task.terminal);
      writer.putUndo(undo);
      writer.removeTask(task.id);
      writer.append("task_removed", { ...nameOf(task), ...rescueOf(undo) });
    });
    await removeLeftover(deps, undoable(deps, task.id));
    return undo.rescue?.ref;
  });
}

/** Removes what a daemon that was killed left of removed tasks. What was changed there since is saved too. */
export async function finishRemovals(deps: TaskDeps, lock: ReturnType<typeof keyedMutex>): Promise<void> {
  const leftovers = deps.store.undos().filter(({ leftover }) => leftover);
  for (const { id, task } of leftovers) {
    await lock(`task ${task.id}`, async () => {
      const undo = deps.store.undos().find((one) => one.id === id);
      if (!undo || deps.store.task(task.id)) return;
      if (task.hasWorktree) await deps.worktrees.rescue(task, deps.clock.now());
      await removeLeftover(deps, undo);
    }).catch((error: unknown) => {
      deps.log.warn("what is left of a removed task could not be removed", { task: task.id, error: String(error) });
    });
  }
}

async function removeLeftover(deps: TaskDeps, { id, leftover: _leftover, ...undo }: UndoRecord): Promise<void> {
  if (undo.task.hasWorktree) await deps.worktrees.remove(undo.task);
  await deps.files.remove(`${deps.places.tasks}/${undo.task.id}`);
  deps.store.keep((writer) => {
    writer.removeUndo(id);
    writer.putUndo(undo);
  });
}

/** The newest `rm` or `reset` that can be undone, of one task or of all. */
export function undoable(world: World, id: number | undefined): UndoRecord {
  const undo = world.store.undos().findLast((one) => id === undefined || one.task.id === id);
  if (undo) return undo;
  const what = id === undefined ? "nothing to undo" : `nothing to undo for task ${id}`;
  throw new PanewardError("wrong_state", what, { hint: "undo restores what `rm` or `reset` removed" });
}

/** The program that runs in a task which was reset, and which an undo ends. */
export function endedByUndo({ store }: Pick<World, "store">, { kind, task }: UndoRecord): TerminalRecord | undefined {
  const current = kind === "reset" ? store.task(task.id)?.terminal : undefined;
  const terminal = current === undefined ? undefined : store.terminal(current);
  return terminal?.phase === "ended" ? undefined : terminal;
}

/** Restores what the last `rm` or `reset` removed. */
export async function undoLast(
  deps: TaskDeps,
  id: number | undefined,
  by: string,
  mayEnd: boolean,
): Promise<{ readonly undone: string; readonly task: TaskRecord }> {
  const undo = undoable(deps, id);
  if (!mayEnd && endedByUndo(deps, undo)) throw wouldEnd(undo);
  const current = deps.store.task(undo.task.id);
  if (!current || undo.kind !== "reset") return restoreFrom(deps, undo, current);
  return afterEnding(deps, current, by, async () => restoreFrom(deps, await keepCurrent(deps, undo, current), current));
}

function wouldEnd({ kind, task: { id, slug } }: UndoRecord): PanewardError {
  const message = `the program of task ${id} ${slug} is running, and undoing the ${kind} would end it`;
  return new PanewardError("wrong_state", message, {
    hint: `\`paneward undo ${id} --yes\` does so; or stop it yourself first: \`paneward stop ${id}\``,
  });
}

/** What is there until the task is back is a leftover: if the daemon is killed meanwhile, the next one removes it. */
function keepRemoved(deps: TaskDeps, { id, ...undo }: UndoRecord): UndoRecord {
  deps.store.write((writer) => {
    writer.removeUndo(id);
    writer.putUndo({ ...undo, leftover: true });
  });
  return undoable(deps, undo.task.id);
}

/** Records how to undo an undo, before anything is removed; the undo itself stays the newest until it is done. */
async function keepCurrent(deps: TaskDeps, undo: UndoRecord, current: TaskRecord): Promise<UndoRecord> {
  // An earlier attempt has done it, or there was nothing yet to keep.
  if (current.leftover) return undo;
  const again = await undoFor(deps, current, "reset");
  const { id, ...same } = undo;
  deps.store.write((writer) => {
    writer.putUndo(again);
    writer.removeUndo(id);
    writer.putUndo(same);
    writer.putTask({ ...current, leftover: true });
  });
  return undoable(deps, current.id);
}

async function restoreFrom(deps: TaskDeps, undo: UndoRecord, current: TaskRecord | undefined) {
  await clearPlace(deps, undo.task);
  let recorded = undo;
  const onBegin = () => {
    if (!current) recorded = keepRemoved(deps, undo);
  };
  const gitDirs = undo.task.hasWorktree
    ? await deps.worktrees.restore(undo.task, keptOf(undo), onBegin)
    : undo.task.gitDirs;
  const { terminal: _terminal, leftover: _leftover, ...before } = undo.task;
  const task: TaskRecord = { ...before, laidAt: deps.clock.now(), ...(gitDirs && { gitDirs }) };
  deps.store.keep((writer) => {
    if (current?.terminal !== undefined) writer.removeTerminal(current.terminal);
    writer.removeUndo(recorded.id);
    writer.putTask(task);
    writer.append("task_restored", nameOf(task));
  });
  return { undone: undo.kind, task };
}

// Saves unmerged work. The caller records what undo needs before anything is removed, so that a crash in between loses nothing.
async function undoFor(deps: TaskDeps, task: TaskRecord, kind: UndoRecord["kind"]): Promise<Omit<UndoRecord, "id">> {
  const rescue = task.hasWorktree ? await deps.worktrees.rescue(task, deps.clock.now()) : undefined;
  // Of a repository that is gone there is no branch.
  const branch = () => deps.worktrees.branchCommit(task, task.branch).catch(() => undefined);
  const head = task.hasWorktree ? await branch() : undefined;
  return { at: deps.clock.now(), kind, task, ...(rescue && { rescue }), ...(head !== undefined && { head }) };
}

function keptOf({ rescue, head }: UndoRecord): Kept | undefined {
  return rescue ?? (head === undefined ? undefined : { head });
}

// The old worktree's place may be taken: after a reset, or when a crash came before its removal.
async function clearPlace(world: World, task: TaskRecord): Promise<void> {
  if (!(await world.worktrees.exists(task))) return;
  await world.worktrees.rescue(task, world.clock.now());
  await world.worktrees.remove(task);
}

function rescueOf(undo: Omit<UndoRecord, "id">): { readonly rescue?: string } {
  return undo.rescue === undefined ? {} : { rescue: undo.rescue.ref };
}
