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
import type { Runtime } from "../world.ts";
import { audit, joinTeam, leads } from "./members.ts";

/** A team's board. Every function writes inside the caller's transaction, so two claims can never meet. */

export interface Wanted {
  readonly title: string;
  readonly description?: string;
  readonly deps?: readonly string[];
  readonly resources?: readonly string[];
}

export function createTask(rt: Runtime, writer: Writer, team: Team, wanted: Wanted, by: string): TeamTask {
  const { title, description = "", deps = [], resources = [] } = wanted;
  const id = writer.team.nextTaskId();
  const asked = { id, teamId: team.teamId, title, description, deps, resources };
  const task = createdTask(asked, rt.store.team.tasks(team.teamId), team.root, rt.clock.now());
  return changed(rt, writer, task, "task_created", by);
}

export function claimTask(
  rt: Runtime,
  writer: Writer,
  team: Team,
  id: string,
  by: { readonly agent: string; readonly ttlMs?: number },
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const { agent, ttlMs = defaultLeaseMs } = by;
  joinTeam(rt, writer, team, agent, "worker");
  const board = rt.store.team.tasks(team.teamId);
  const task = claimedTask(requireTask(rt, team, id), board, { agent, ttlMs }, rt.clock.now());
  changed(rt, writer, task, "task_claimed", agent);
  tellTeam(rt, writer, team.teamId, "task_claimed", task, agent);
  return { task, lease: task.lease };
}

export function renewTask(
  rt: Runtime,
  writer: Writer,
  team: Team,
  id: string,
  held: Holding,
  ttlMs = defaultLeaseMs,
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const task = renewedTask(requireTask(rt, team, id), held, ttlMs, rt.clock.now());
  changed(rt, writer, task, "task_renewed", held.agent);
  return { task, lease: task.lease };
}

export function finishTask(
  rt: Runtime,
  writer: Writer,
  team: Team,
  id: string,
  held: Holding,
  as: "completed" | "failed",
): TeamTask {
  const task = finishedTask(requireTask(rt, team, id), held, as, rt.clock.now());
  changed(rt, writer, task, `task_${as}`, held.agent);
  tellTeam(rt, writer, team.teamId, `task_${as}`, task, held.agent);
  for (const free of unblockedTasks(rt.store.team.tasks(team.teamId))) {
    changed(rt, writer, free, "task_unblocked", held.agent);
  }
  return task;
}

export function requireTask(rt: Runtime, team: Team, id: string): TeamTask {
  const task = rt.store.team.task(id);
  if (task?.teamId === team.teamId) return task;
  throw new TeamFailure("TASK_NOT_FOUND", `team ${team.teamId} has no task ${id}`);
}

export function canWrite(
  rt: Runtime,
  team: Team,
  asked: { readonly agent: string; readonly path: string; readonly action: Action },
): Decision {
  const board = rt.store.team.tasks(team.teamId);
  return decideWrite(board, { ...asked, leads: leads(team, asked.agent) }, team.root, rt.clock.now());
}

function changed(rt: Runtime, writer: Writer, task: TeamTask, change: string, by: string): TeamTask {
  writer.team.putTask(task);
  writer.append("team_task_changed", { task, change, by });
  audit(rt, writer, task.teamId, by, change, task.id);
  return task;
}

function tellTeam(
  rt: Runtime,
  writer: Writer,
  team: string,
  type: "task_claimed" | "task_completed" | "task_failed",
  { id, title }: TeamTask,
  actor: string,
): void {
  for (const { id: agent } of rt.store.team.team(team)?.agents ?? []) {
    if (agent === actor) continue;
    writer.team.addNotice({ type, teamId: team, agentId: agent, taskId: id, actor, summary: title.slice(0, 120) });
  }
}
