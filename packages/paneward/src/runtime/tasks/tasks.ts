import { freeName, PanewardError, type Parsed, slugOf, taskBranch, taskSessionName } from "@paneward/sdk";
import { taskEnvironment } from "../../agents/launch.ts";
import type { TaskRecord } from "../../model/records.ts";
import type { Run } from "../../model/runs.ts";
import type { BootstrapOptions, Repository } from "../ports.ts";
import type { World } from "../world.ts";
import { restartTerminal, type TaskDeps } from "./resume.ts";
import { promptFile, requireAgent, taskLaunch, type Variables } from "./task-launch.ts";
import { requireTrusted, requireTrustedSetup } from "./trust.ts";

/** Records a task before anything is made for it, so that each step can be repeated. */
export async function createTask(world: World, input: Parsed<"new">): Promise<TaskRecord> {
  const repository = await world.worktrees.repository(input.root);
  const inForce = await world.configFor(repository.root);
  const agent = input.agent ?? inForce.config.agent;
  requireAgent(agent, inForce.config.agents);
  if (!input.draft) await requireTrusted(world, inForce, repository, agent);
  const base = await baseOf(world, repository, input.base);
  return world.store.write((writer) => {
    const id = writer.nextTaskId();
    const taken = new Set(world.store.tasks().map(({ slug }) => slug));
    const slug = freeName(slugOf(input.text), (name) => taken.has(name));
    const task: TaskRecord = {
      id,
      slug,
      root: repository.root,
      gitDirs: repository.gitDirs,
      text: input.text,
      agent,
      branch: taskBranch(id, slug),
      worktree: `${world.places.worktrees}/${id}-${slug}`,
      draft: true,
      hasWorktree: false,
      createdAt: world.clock.now(),
      ...base,
    };
    writer.putTask(task);
    writer.append("task_created", { task: id, slug, root: task.root, agent, draft: input.draft });
    return task;
  });
}

/** What a task begins from: a branch that was asked for, else the current one, or a HEAD that is on none. */
export async function baseOf(
  { worktrees }: Pick<World, "worktrees">,
  repository: Repository,
  wanted: string | undefined,
): Promise<Pick<TaskRecord, "base" | "baseCommit">> {
  const base = wanted ?? repository.branch;
  const baseCommit = base === undefined ? repository.head : await worktrees.branchCommit(repository, base);
  if (wanted !== undefined && baseCommit === undefined) {
    throw new PanewardError("not_found", `there is no branch ${wanted} in ${repository.root}`, {
      hint: "`git branch` lists them",
    });
  }
  return { ...(base === undefined ? {} : { base }), ...(baseCommit === undefined ? {} : { baseCommit }) };
}

/** Makes the worktree if there is none, and runs the agent in it. */
export async function startTask(deps: TaskDeps, task: TaskRecord, given: Variables = {}): Promise<TaskRecord> {
  const terminal = task.terminal === undefined ? undefined : deps.store.terminal(task.terminal);
  if (terminal && terminal.phase !== "ended") {
    throw new PanewardError("wrong_state", `task ${task.id} is already started`, {
      hint: `use \`paneward attach ${task.id}\``,
    });
  }
  const ready = await prepare(deps, task, given);
  if (terminal && (await deps.worktrees.exists(ready))) await restartTerminal(deps, terminal, given);
  else await launchAgent(deps, ready, given);
  return deps.store.task(task.id) ?? ready;
}

/** Copies files and runs the setup script; progress becomes events. */
export async function bootstrapTask(world: World, task: TaskRecord, given: Variables = {}) {
  const options = await bootstrapOptions(world, task, given);
  return world.worktrees.bootstrap(task, options, (stage, text) => progress(world, task, stage, text));
}

/** The environment variables of a program in the task's worktree. */
export function environmentOf(world: World, task: TaskRecord): Readonly<Record<string, string>> {
  return taskEnvironment({ id: task.id, root: task.root, prompt: task.text, promptFile: promptFile(world, task) });
}

/** Makes branch and worktree and bootstraps them, unless that was done before. */
export async function prepare(world: World, found: TaskRecord, given: Variables = {}): Promise<TaskRecord> {
  const task = found.leftover ? await withoutLeftover(world, found) : found;
  if (task.hasWorktree && !task.unprepared && (await world.worktrees.exists(task))) return task;
  progress(world, task, "worktree", "making branch and worktree");
  const onBegin = () => world.store.write((writer) => writer.putTask({ ...task, unprepared: true }));
  const { baseCommit, gitDirs, note } = await world.worktrees.create(task, onBegin).catch((cause: unknown) => {
    // It leaves nothing on failure.
    world.store.keep((writer) => writer.putTask(task));
    throw cause;
  });
  if (note !== undefined) progress(world, task, "worktree", note);
  const made: TaskRecord = { ...task, gitDirs, baseCommit: task.baseCommit ?? baseCommit, hasWorktree: true };
  world.store.keep((writer) => writer.putTask({ ...made, unprepared: true }));
  const { emptySubmodules } = await bootstrapTask(world, made, given);
  const { unprepared: _unprepared, emptySubmodules: _before, ...prepared } = made;
  const ready = emptySubmodules.length === 0 ? prepared : { ...prepared, emptySubmodules };
  world.store.keep((writer) => writer.putTask(ready));
  return ready;
}

/** Ends a reset that was interrupted. What came into the old worktree since is saved too. */
async function withoutLeftover(world: World, task: TaskRecord): Promise<TaskRecord> {
  await world.worktrees.rescue(task, world.clock.now());
  await world.worktrees.remove(task);
  const { leftover: _leftover, ...rest } = task;
  return { ...rest, hasWorktree: false };
}

async function launchAgent(deps: TaskDeps, task: TaskRecord, given: Variables): Promise<void> {
  const { argv, env } = await taskLaunch(deps, task, given);
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

/** The task exists already, so the error says how to continue with it, for instance when its agent is not installed. */
function cannotBegin({ id, agent }: TaskRecord, cause: PanewardError): PanewardError {
  return new PanewardError(
    "unavailable",
    `task ${id} was created, but its agent ${agent} cannot start: ${cause.message}`,
    {
      hint: `install it and \`paneward start ${id}\`, or \`paneward rm ${id}\` and choose another one with --agent; \`paneward doctor\` says which there are`,
      cause,
    },
  );
}

async function bootstrapOptions(world: World, task: TaskRecord, given: Variables): Promise<BootstrapOptions> {
  const inForce = await world.configFor(task.root);
  const allow = (run: "cmd" | Run) => requireTrustedSetup(world, inForce, task, run);
  const scratch = `${world.places.home}/setup/${task.id}`;
  const { PATH } = { ...world.env, ...given };
  const env = { ...(PATH === undefined ? {} : { PATH }), ...environmentOf(world, task) };
  return { ...inForce.config.bootstrap, env, allow, scratch };
}

function progress(world: World, task: TaskRecord, stage: string, text: string): void {
  world.store.keep((writer) => writer.append("task_progress", { ...nameOf(task), stage, text: text.slice(0, 1_000) }));
}

export function nameOf({ id, slug }: TaskRecord): { readonly task: number; readonly slug: string } {
  return { task: id, slug };
}
