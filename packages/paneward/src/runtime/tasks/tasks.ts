import { freeName, PanewardError, type Parsed, slugOf, taskBranch, taskSessionName } from "@paneward/sdk";
import { taskEnvironment } from "../../agents/launch.ts";
import type { TaskRecord, UndoRecord } from "../../model/records.ts";
import type { BootstrapOptions } from "../ports.ts";
import type { World } from "../world.ts";
import { restartTerminal, type TaskDeps } from "./resume.ts";
import { promptFile, requireAgent, taskLaunch } from "./task-launch.ts";

/** A task is written down before anything is made for it; each step can be done again. */
export async function createTask(world: World, input: Parsed<"new">): Promise<TaskRecord> {
  const repository = await world.worktrees.repository(input.root);
  const { config } = await world.configFor(repository.root);
  const agent = input.agent ?? config.agent;
  requireAgent(agent, config.agents);
  const base = input.base ?? repository.branch;
  const baseCommit = base === undefined ? repository.head : await world.worktrees.branchCommit(repository.root, base);
  if (input.base !== undefined && baseCommit === undefined) {
    throw new PanewardError("not_found", `there is no branch ${input.base} in ${repository.root}`, {
      hint: "`git branch` lists them",
    });
  }
  return world.store.write((writer) => {
    const id = writer.nextTaskId();
    const taken = new Set(world.store.tasks().map(({ slug }) => slug));
    const slug = freeName(slugOf(input.text), (name) => taken.has(name));
    const task: TaskRecord = {
      id,
      slug,
      root: repository.root,
      text: input.text,
      agent,
      branch: taskBranch(id, slug),
      worktree: `${world.places.worktrees}/${id}-${slug}`,
      draft: true,
      hasWorktree: false,
      createdAt: world.clock.now(),
      ...(base === undefined ? {} : { base }),
      ...(baseCommit === undefined ? {} : { baseCommit }),
    };
    writer.putTask(task);
    writer.append("task_created", { task: id, slug, root: task.root, agent, draft: input.draft });
    return task;
  });
}

/** Makes the worktree if need be and runs the agent in it. */
export async function startTask(deps: TaskDeps, task: TaskRecord): Promise<TaskRecord> {
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  if (terminal && terminal.phase !== "ended") {
    throw new PanewardError("wrong_state", `task ${task.id} is already started`, {
      hint: `use \`paneward attach ${task.id}\``,
    });
  }
  const ready = await prepare(deps, task);
  if (terminal && (await deps.worktrees.exists(ready))) await restartTerminal(deps, terminal);
  else await launchAgent(deps, ready);
  return deps.store.task(task.id) ?? ready;
}

/** Copies and the setup script, with progress told as events. */
export async function bootstrapTask(world: World, task: TaskRecord) {
  const options = await bootstrapOptions(world, task);
  return world.worktrees.bootstrap(task, options, (stage, text) => progress(world, task, stage, text));
}

/** Stops, keeps what was not merged, and begins again from the base. */
export async function resetTask(
  deps: TaskDeps,
  task: TaskRecord,
  by: string,
): Promise<{ readonly task: TaskRecord; readonly rescue?: string }> {
  const undo = await secure(deps, task, by, "reset");
  const { baseCommit: _commit, completedAt: _completed, terminal: _terminal, ...rest } = task;
  const baseCommit =
    task.base === undefined ? task.baseCommit : await deps.worktrees.branchCommit(task.root, task.base);
  const laidAt = deps.clock.now();
  const fresh: TaskRecord = {
    ...rest,
    hasWorktree: false,
    laidAt,
    ...(baseCommit === undefined ? {} : { baseCommit }),
  };
  deps.store.write((writer) => {
    if (task.terminal !== undefined) writer.removeTerminal(task.terminal);
    writer.putUndo(undo);
    writer.putTask(fresh);
    writer.append("task_reset", { ...nameOf(task), ...rescueOf(undo) });
  });
  if (task.hasWorktree) await deps.worktrees.remove(task);
  return { task: await prepare(deps, fresh), ...rescueOf(undo) };
}

export async function removeTask(deps: TaskDeps, task: TaskRecord, by: string): Promise<string | undefined> {
  const undo = await secure(deps, task, by, "rm");
  deps.store.write((writer) => {
    if (task.terminal !== undefined) writer.removeTerminal(task.terminal);
    writer.putUndo(undo);
    writer.removeTask(task.id);
    writer.append("task_removed", { ...nameOf(task), ...rescueOf(undo) });
  });
  if (task.hasWorktree) await deps.worktrees.remove(task);
  await deps.files.remove(`${deps.places.tasks}/${task.id}`);
  return undo.rescue?.ref;
}

/** The newest thing that can be undone; of one task, if it is named. */
export function undoable(world: World, id: number | undefined): UndoRecord {
  const undo = world.store.undos().findLast((one) => id === undefined || one.task.id === id);
  if (undo) return undo;
  const what = id === undefined ? "nothing to undo" : `nothing to undo for task ${id}`;
  throw new PanewardError("wrong_state", what, { hint: "undo brings back what `rm` or `reset` took away" });
}

/** Brings back what the last `rm` or `reset` took away. */
export async function undoLast(
  deps: TaskDeps,
  id: number | undefined,
  by: string,
): Promise<{ readonly undone: string; readonly task: TaskRecord }> {
  const undo = undoable(deps, id);
  const current = deps.store.task(undo.task.id);
  const again = current && undo.kind === "reset" ? await secure(deps, current, by, "reset") : undefined;
  await clearTheWay(deps, undo.task);
  if (undo.task.hasWorktree) await deps.worktrees.restore(undo.task, undo.rescue);
  const { terminal: _terminal, ...before } = undo.task;
  const task: TaskRecord = { ...before, laidAt: deps.clock.now() };
  deps.store.write((writer) => {
    if (again) writer.putUndo(again);
    if (current?.terminal !== undefined) writer.removeTerminal(current.terminal);
    writer.removeUndo(undo.id);
    writer.putTask(task);
    writer.append("task_restored", nameOf(task));
  });
  return { undone: undo.kind, task };
}

/** The variables that a program in the task's worktree gets. */
export function environmentOf(world: World, task: TaskRecord): Readonly<Record<string, string>> {
  return taskEnvironment({ id: task.id, root: task.root, prompt: task.text, promptFile: promptFile(world, task) });
}

async function prepare(world: World, task: TaskRecord): Promise<TaskRecord> {
  if (task.hasWorktree && !task.unprepared && (await world.worktrees.exists(task))) return task;
  progress(world, task, "worktree", "making branch and worktree");
  const { baseCommit } = await world.worktrees.create(task);
  const made: TaskRecord = { ...task, baseCommit: task.baseCommit ?? baseCommit, hasWorktree: true };
  world.store.write((writer) => writer.putTask({ ...made, unprepared: true }));
  await bootstrapTask(world, made);
  const { unprepared: _unprepared, ...ready } = made;
  world.store.write((writer) => writer.putTask(ready));
  return ready;
}

async function launchAgent(deps: TaskDeps, task: TaskRecord): Promise<void> {
  const { argv, env } = await taskLaunch(deps, task);
  const terminal = {
    name: `task-${task.id}`,
    host: "local",
    argv,
    cwd: task.worktree,
    env,
    keep: true,
    columns: 200,
    rows: 50,
    session: taskSessionName(task.id, task.slug),
    task: task.id,
  };
  await deps.supervisor.run(terminal).catch((cause: unknown) => {
    throw cause instanceof PanewardError && cause.code === "bad_input" ? cannotBegin(task, cause) : cause;
  });
}

/** The task is there already, so what to do about it has to be said: its program is not installed, say. */
function cannotBegin({ id, agent }: TaskRecord, cause: PanewardError): PanewardError {
  return new PanewardError(
    "bad_input",
    `task ${id} is written down, but its agent ${agent} cannot start: ${cause.message}`,
    {
      hint: `install it and \`paneward start ${id}\`, or \`paneward rm ${id}\` and choose another one with --agent; \`paneward doctor\` says which there are`,
      cause,
    },
  );
}

// Ends the program and keeps unmerged work. What undo needs is written down before anything is removed, so that a crash
// in between loses nothing.
async function secure(
  deps: TaskDeps,
  task: TaskRecord,
  by: string,
  kind: UndoRecord["kind"],
): Promise<Omit<UndoRecord, "id">> {
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  if (terminal) {
    await deps.supervisor.stop(terminal, by);
    await deps.supervisor.remove(terminal);
  }
  const rescue = task.hasWorktree ? await deps.worktrees.rescue(task, deps.clock.now()) : undefined;
  return { at: deps.clock.now(), kind, task, ...(rescue === undefined ? {} : { rescue }) };
}

// A worktree may stand where the old one is to come back: after a reset, or when a crash came before the removal.
async function clearTheWay(world: World, task: TaskRecord): Promise<void> {
  if (!(await world.worktrees.exists(task))) return;
  await world.worktrees.rescue(task, world.clock.now());
  await world.worktrees.remove(task);
}

async function bootstrapOptions(world: World, task: TaskRecord): Promise<BootstrapOptions> {
  const { bootstrap } = (await world.configFor(task.root)).config;
  return { ...bootstrap, env: environmentOf(world, task) };
}

function progress(world: World, task: TaskRecord, stage: string, text: string): void {
  world.store.write((writer) => writer.append("task_progress", { ...nameOf(task), stage, text: text.slice(0, 1_000) }));
}

function nameOf({ id, slug }: TaskRecord): { readonly task: number; readonly slug: string } {
  return { task: id, slug };
}

function rescueOf(undo: Omit<UndoRecord, "id">): { readonly rescue?: string } {
  return undo.rescue === undefined ? {} : { rescue: undo.rescue.ref };
}
