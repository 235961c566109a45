import type { Lease, Team, TeamTask } from "@paneward/sdk";
import { type Action, decideWrite, type WriteDecision } from "../../model/team/can-write.ts";
import { TeamFailure } from "../../model/team/failure.ts";
import {
  claimedTask,
  createdTask,
  defaultLeaseMs,
  finishedTask,
  type LeaseHolder,
  renewedTask,
  unblockedTasks,
} from "../../model/team/task.ts";
import type { Writer } from "../ports.ts";
import { audit, joinTeam, leads, type TeamPorts } from "./members.ts";

/** A team's board. Every function writes inside the caller's transaction, so two claims cannot both succeed. */

export interface NewTask {
  readonly title: string;
  readonly description?: string;
  readonly deps?: readonly string[];
  readonly resources?: readonly string[];
}

export function createTask(ports: TeamPorts, writer: Writer, team: Team, wanted: NewTask, by: string): TeamTask {
  const { title, description = "", deps = [], resources = [] } = wanted;
  const id = writer.team.nextTaskId();
  const entry = { id, teamId: team.teamId, title, description, deps, resources };
  const task = createdTask(entry, ports.store.team.tasks(team.teamId), team.root, ports.clock.now());
  return changed(ports, writer, task, "task_created", by);
}

export function claimTask(
  ports: TeamPorts,
  writer: Writer,
  team: Team,
  id: string,
  by: { readonly agent: string; readonly ttlMs?: number },
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const { agent, ttlMs = defaultLeaseMs } = by;
  joinTeam(ports, writer, team, agent, "worker");
  const board = ports.store.team.tasks(team.teamId);
  const task = claimedTask(requireTask(ports, team, id), board, { agent, ttlMs }, ports.clock.monotonic());
  changed(ports, writer, task, "task_claimed", agent);
  notifyTeam(ports, writer, team.teamId, "task_claimed", task, agent);
  return { task, lease: task.lease };
}

export function renewTask(
  ports: TeamPorts,
  writer: Writer,
  team: Team,
  id: string,
  held: LeaseHolder,
  ttlMs = defaultLeaseMs,
): { readonly task: TeamTask; readonly lease: Lease | null } {
  const task = renewedTask(requireTask(ports, team, id), held, ttlMs, ports.clock.monotonic());
  changed(ports, writer, task, "task_renewed", held.agent);
  return { task, lease: task.lease };
}

export function finishTask(
  ports: TeamPorts,
  writer: Writer,
  team: Team,
  id: string,
  held: LeaseHolder,
  as: "completed" | "failed",
): TeamTask {
  const task = finishedTask(requireTask(ports, team, id), held, as, ports.clock.monotonic());
  changed(ports, writer, task, `task_${as}`, held.agent);
  notifyTeam(ports, writer, team.teamId, `task_${as}`, task, held.agent);
  for (const free of unblockedTasks(ports.store.team.tasks(team.teamId))) {
    changed(ports, writer, free, "task_unblocked", held.agent);
  }
  return task;
}

export function requireTask(ports: TeamPorts, team: Team, id: string): TeamTask {
  const task = ports.store.team.task(id);
  if (task?.teamId === team.teamId) return task;
  throw new TeamFailure("TASK_NOT_FOUND", `team ${team.teamId} has no task ${id}`);
}

export function canWrite(
  ports: TeamPorts,
  team: Team,
  request: { readonly agent: string; readonly path: string; readonly action: Action },
): WriteDecision {
  const board = ports.store.team.tasks(team.teamId);
  return decideWrite(board, { ...request, leads: leads(team, request.agent) }, team.root, ports.clock.monotonic());
}

function changed(ports: TeamPorts, writer: Writer, task: TeamTask, change: string, by: string): TeamTask {
  writer.team.putTask(task);
  writer.append("team_task_changed", { task, change, by });
  audit(ports, writer, task.teamId, by, change, task.id);
  return task;
}

function notifyTeam(
  ports: TeamPorts,
  writer: Writer,
  team: string,
  type: "task_claimed" | "task_completed" | "task_failed",
  { id, title }: TeamTask,
  actor: string,
): void {
  for (const { id: agent } of ports.store.team.team(team)?.agents ?? []) {
    if (agent === actor) continue;
    writer.team.addInboxEvent({ type, teamId: team, agentId: agent, taskId: id, actor, summary: title.slice(0, 120) });
  }
}
