import { createHash } from "node:crypto";
import { ownValue, PanewardError } from "@paneward/sdk";
import { namedFiles } from "../../model/named-files.ts";
import type { TaskRecord } from "../../model/records.ts";
import { commandLine, maxShown, type Run } from "../../model/runs.ts";
import type { CommandPlaces, ConfigInForce, Repository } from "../ports.ts";
import type { World } from "../world.ts";

type TrustWorld = Pick<World, "store" | "worktrees">;
type Where = Pick<TaskRecord, "root" | "gitDirs">;

/** All that a repository makes Paneward run: its commands, the files that these name, and its setup script. */
export async function allRuns(
  world: TrustWorld & Pick<World, "configFor">,
  { root, top: folder }: Pick<Repository, "root" | "top">,
): Promise<readonly Run[]> {
  const config = await world.configFor(root);
  const names = Object.keys(config.project.agents);
  const agents = await Promise.all(names.map((name) => agentRuns(world, config, { folder, root }, name)));
  return distinct([...agents.flat(), ...(await setupRuns(world, config, { folder, root }))]);
}

/** Refuses a new task before anything of it is stored. */
export async function requireTrusted(
  world: TrustWorld,
  config: ConfigInForce,
  repository: Repository,
  agent: string,
): Promise<void> {
  const { root } = repository;
  const at = { folder: root, root };
  const setup = await setupRuns(world, config, at);
  refuse(world, repository, root, [...(await agentRuns(world, config, at, agent)), ...setup]);
}

/** Whether the command of a task's agent is the repository's, not the user's own. */
export function runsOwnAgent({ project }: ConfigInForce, { agent }: TaskRecord): boolean {
  return (ownValue(project.agents, agent)?.cmd ?? []).length > 0;
}

/** Refuses to run a task's agent by a command of a repository that is not trusted. */
export async function requireTrustedAgent(world: TrustWorld, config: ConfigInForce, task: TaskRecord): Promise<void> {
  refuse(world, task, task.worktree, await agentRuns(world, config, placesOf(task), task.agent), task);
}

/** Refuses the preparation of a task's worktree by what is not trusted; a command of the user's own needs no trust. */
export async function requireTrustedSetup(
  world: TrustWorld,
  config: ConfigInForce,
  task: TaskRecord,
  run: "cmd" | Run,
): Promise<void> {
  const runs = run === "cmd" ? await commandRuns(world, config, placesOf(task)) : [run];
  refuse(world, task, task.worktree, runs, task);
  if (run === "cmd" && runs.length > 0) refuseBesideAgent(world, task);
}

export function isTrusted(world: Pick<World, "store">, where: Where, { what, digest }: Run): boolean {
  const known = world.store.trusted().find(({ repository }) => repository === keyOf(where));
  return known?.runs.some((run) => run.what === what && run.digest === digest) === true;
}

/** One repository has one key, whichever of its checkouts is asked about. */
export function keyOf({ root, gitDirs }: Where): string {
  return gitDirs?.common ?? root;
}

/** One value for everything that would run. */
export function digestOf(runs: readonly Run[]): string {
  return sha256(JSON.stringify(runs.map(({ what, digest }) => [what, digest]).toSorted()));
}

async function agentRuns(
  world: TrustWorld,
  { project }: ConfigInForce,
  at: CommandPlaces,
  name: string,
): Promise<readonly Run[]> {
  const cmd = ownValue(project.agents, name)?.cmd ?? [];
  if (cmd.length === 0) return [];
  const command = { what: `agents.${name}.cmd`, text: commandLine(cmd), digest: sha256(JSON.stringify(cmd)) };
  return withFiles(world, at, command, cmd);
}

async function setupRuns(world: TrustWorld, config: ConfigInForce, at: CommandPlaces): Promise<readonly Run[]> {
  const { cmd } = config.config.bootstrap;
  if (cmd !== undefined && cmd.trim() !== "") return commandRuns(world, config, at);
  const script = (await world.worktrees.setupScript(at.folder)) ?? (await world.worktrees.setupScript(at.root));
  return script ? [script] : [];
}

async function commandRuns(world: TrustWorld, { project }: ConfigInForce, at: CommandPlaces): Promise<readonly Run[]> {
  const cmd = project.bootstrapCmd;
  if (cmd === undefined || cmd.trim() === "") return [];
  return withFiles(world, at, { what: "bootstrap.cmd", text: cmd, digest: sha256(cmd) }, cmd);
}

async function withFiles(
  world: TrustWorld,
  at: CommandPlaces,
  run: Run,
  command: string | readonly string[],
): Promise<readonly Run[]> {
  if (run.text.length > maxShown) {
    throw new PanewardError("wrong_state", `${run.what} of ${at.root} has more than ${maxShown} characters`, {
      hint: "that is too long to be read and trusted; put it into a script of the repository and name that script",
    });
  }
  return [run, ...(await world.worktrees.namedFiles(at, namedFiles(command)))];
}

function placesOf({ worktree, root }: TaskRecord): CommandPlaces {
  return { folder: worktree, root };
}

/** A shell opens the files that a command names after they were checked; a running agent could replace them between. */
function refuseBesideAgent({ store }: TrustWorld, { id, terminal }: TaskRecord): void {
  const phase = terminal === undefined ? undefined : store.terminal(terminal)?.phase;
  if (phase === undefined || phase === "ended") return;
  const message = `the agent of task ${id} runs and could change what \`bootstrap.cmd\` runs`;
  throw new PanewardError("wrong_state", message, {
    hint: `stop it first: \`paneward stop ${id}\`, then \`paneward bootstrap ${id}\``,
  });
}

function refuse(world: TrustWorld, where: Where, folder: string, runs: readonly Run[], task?: TaskRecord): void {
  const untrusted = runs.filter((run) => !isTrusted(world, where, run)).map(({ what }) => what);
  if (untrusted.length === 0) return;
  const then = task ? `, then \`paneward start ${task.id}\`` : "";
  throw new PanewardError("untrusted", `${where.root} would run ${untrusted.join(", ")}, which is not trusted yet`, {
    hint: `\`paneward trust ${folder}\` shows what it runs and asks${then}`,
  });
}

function distinct(runs: readonly Run[]): readonly Run[] {
  return [...new Map(runs.map((run) => [`${run.what}\0${run.digest}`, run])).values()];
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
