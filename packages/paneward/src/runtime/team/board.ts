import type { Lease, Team, TeamTask } from "@paneward/sdk";
import { type Action, type Decision, decideWrite } from "../../model/team/can-write.ts";
import { TeamFailure } from "../../model/team/failure.ts";
import {
  claimedTask,
  createdTask,
  defaultLeaseMs,
  finishedTask,
  type Holding,
  renewedTask,
  unblockedTasks,
} from "../../model/team/task.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";
import { audit, joinTeam, leads } from "./members.ts";

/** A team's board. Every function writes inside the caller's transaction, so two claims can never meet. */

export interface Wanted {
  readonly title: string;
  readonly description?: string;
  readonly deps?: readonly string[];
  readonly resources?: readonly string[];
}

export function createTask(world: World, writer: Writer, team: Team, wanted: Wanted, by: string): TeamTask {
  const { title, description = "", deps = [], resources = [] } = wanted;
  const id = writer.team.nextTaskId();
  const asked = { id, teamId: team.teamId, title, description, deps, resources };
  const task = createdTask(asked, world.store.team.tasks(team.teamId), team.root, world.clock.now());
  return changed(world, writer, task, "task_created", by);
}

export function claimTask(
  world: World,
  writer: Writer,
  team: Team,
  id: string,
  by: { readonly agent: string; readonly ttlMs?: number },
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const { agent, ttlMs = defaultLeaseMs } = by;
  joinTeam(world, writer, team, agent, "worker");
  const board = world.store.team.tasks(team.teamId);
  const task = claimedTask(requireTask(world, team, id), board, { agent, ttlMs }, world.clock.now());
  changed(world, writer, task, "task_claimed", agent);
  tellTeam(world, writer, team.teamId, "task_claimed", task, agent);
  return { task, lease: task.lease };
}

export function renewTask(
  world: World,
  writer: Writer,
  team: Team,
  id: string,
  held: Holding,
  ttlMs = defaultLeaseMs,
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const task = renewedTask(requireTask(world, team, id), held, ttlMs, world.clock.now());
  changed(world, writer, task, "task_renewed", held.agent);
  return { task, lease: task.lease };
}

export function finishTask(
  world: World,
  writer: Writer,
  team: Team,
  id: string,
  held: Holding,
  as: "completed" | "failed",
): TeamTask {
  const task = finishedTask(requireTask(world, team, id), held, as, world.clock.now());
  changed(world, writer, task, `task_${as}`, held.agent);
  tellTeam(world, writer, team.teamId, `task_${as}`, task, held.agent);
  for (const free of unblockedTasks(world.store.team.tasks(team.teamId))) {
    changed(world, writer, free, "task_unblocked", held.agent);
  }
  return task;
}

export function requireTask(world: World, team: Team, id: string): TeamTask {
  const task = world.store.team.task(id);
  if (task?.teamId === team.teamId) return task;
  throw new TeamFailure("TASK_NOT_FOUND", `team ${team.teamId} has no task ${id}`);
}

export function canWrite(
  world: World,
  team: Team,
  asked: { readonly agent: string; readonly path: string; readonly action: Action },
): Decision {
  const board = world.store.team.tasks(team.teamId);
  return decideWrite(board, { ...asked, leads: leads(team, asked.agent) }, team.root, world.clock.now());
}

function changed(world: World, writer: Writer, task: TeamTask, change: string, by: string): TeamTask {
  writer.team.putTask(task);
  writer.append("team_task_changed", { task, change, by });
  audit(world, writer, task.teamId, by, change, task.id);
  return task;
}

function tellTeam(
  world: World,
  writer: Writer,
  team: string,
  type: "task_claimed" | "task_completed" | "task_failed",
  { id, title }: TeamTask,
  actor: string,
): void {
  for (const { id: agent } of world.store.team.team(team)?.agents ?? []) {
    if (agent === actor) continue;
    writer.team.addNotice({ type, teamId: team, agentId: agent, taskId: id, actor, summary: title.slice(0, 120) });
  }
}
