import { type Lease, type TeamTask, teamSchemaVersion } from "@paneward/sdk";
import { TeamFailure } from "./failure.ts";
import { normalResource, overlap } from "./resources.ts";

export const defaultLeaseMs = 5 * 60_000;

export interface NewTeamTask {
  readonly id: string;
  readonly teamId: string;
  readonly title: string;
  readonly description: string;
  readonly deps: readonly string[];
  readonly resources: readonly string[];
}

/** The agent that claims to hold a task, and the epoch of its claim. */
export interface LeaseHolder {
  readonly agent: string;
  readonly epoch: number;
}

/** A new task. Its dependencies must exist already, so there are no cycles. */
export function createdTask(wanted: NewTeamTask, board: readonly TeamTask[], root: string | undefined, now: number) {
  const { id, teamId, title, description } = wanted;
  const deps = [...new Set(wanted.deps)];
  const missing = deps.filter((dep) => !board.some((task) => task.id === dep));
  if (missing.length > 0) throw new TeamFailure("INVALID_TASK", `there is no task ${missing.join(", ")} to depend on`);
  return {
    schemaVersion: teamSchemaVersion,
    id,
    teamId,
    title,
    description,
    status: isReady(deps, board) ? "pending" : "blocked",
    owner: null,
    deps,
    resources: [...new Set(wanted.resources.map((resource) => requireResource(resource, root)))],
    lease: null,
    epoch: 0,
    timestamps: { createdAt: iso(now), startedAt: null, completedAt: null, failedAt: null },
  } satisfies TeamTask;
}

/** The task after a claim. An expired lease does not prevent it. */
export function claimedTask(task: TeamTask, board: readonly TeamTask[], by: ClaimRequest, now: number): TeamTask {
  if (task.status === "in_progress" && isLive(task.lease, now)) {
    throw new TeamFailure("TASK_NOT_CLAIMABLE", `${task.id} is held by ${task.owner} until ${task.lease?.expiresAt}`);
  }
  if (task.status !== "pending" && task.status !== "in_progress") {
    const why = task.status === "blocked" ? `waits for ${task.deps.join(", ")}` : `is ${task.status}`;
    throw new TeamFailure("TASK_NOT_CLAIMABLE", `${task.id} ${why}`);
  }
  const rival = board.find((other) => other.id !== task.id && conflicts(other, task, by.agent, now));
  if (rival) {
    const message = `${rival.owner} holds ${rival.id}, whose resources overlap with those of ${task.id}`;
    throw new TeamFailure("TASK_NOT_CLAIMABLE", message);
  }
  const epoch = task.epoch + 1;
  const { agent, ttlMs } = by;
  return {
    ...task,
    status: "in_progress",
    owner: agent,
    epoch,
    lease: { holder: agent, epoch, expiresAt: iso(now + ttlMs) },
    timestamps: { ...task.timestamps, startedAt: iso(now) },
  };
}

export interface ClaimRequest {
  readonly agent: string;
  readonly ttlMs: number;
}

export function renewedTask(task: TeamTask, held: LeaseHolder, ttlMs: number, now: number): TeamTask {
  const lease = requireHeld(task, held, now);
  return { ...task, lease: { ...lease, expiresAt: iso(now + ttlMs) } };
}

export function finishedTask(task: TeamTask, held: LeaseHolder, as: "completed" | "failed", now: number): TeamTask {
  requireHeld(task, held, now);
  const at = as === "completed" ? { completedAt: iso(now) } : { failedAt: iso(now) };
  return { ...task, status: as, lease: null, timestamps: { ...task.timestamps, ...at } };
}

/** The blocked tasks of a board whose dependencies are complete. */
export function unblockedTasks(board: readonly TeamTask[]): readonly TeamTask[] {
  return board
    .filter(({ status, deps }) => status === "blocked" && isReady(deps, board))
    .map((task) => ({ ...task, status: "pending" }));
}

export function isLive(lease: Lease | null, now: number): boolean {
  return lease !== null && Date.parse(lease.expiresAt) > now;
}

/** The order of these checks is teamd's: a late holder gets the same failure, whatever happened after its lease. */
function requireHeld(task: TeamTask, { agent, epoch }: LeaseHolder, now: number): Lease {
  const { lease } = task;
  if (task.status !== "in_progress" || !lease) {
    throw new TeamFailure("TASK_NOT_IN_PROGRESS", `${task.id} is ${task.status}`);
  }
  if (!isLive(lease, now)) {
    throw new TeamFailure("LEASE_EXPIRED", `the lease of ${task.id} ran out at ${lease.expiresAt}; claim it again`);
  }
  if (lease.holder !== agent) throw new TeamFailure("LEASE_HOLDER_MISMATCH", `${task.id} is held by ${lease.holder}`);
  if (lease.epoch !== epoch) {
    throw new TeamFailure("EPOCH_MISMATCH", `${task.id} is at epoch ${lease.epoch}, not ${epoch}`);
  }
  return lease;
}

function conflicts(other: TeamTask, task: TeamTask, agent: string, now: number): boolean {
  if (other.status !== "in_progress" || other.owner === agent || !isLive(other.lease, now)) return false;
  return other.resources.some((theirs) => task.resources.some((ours) => overlap(theirs, ours)));
}

function isReady(deps: readonly string[], board: readonly TeamTask[]): boolean {
  return deps.every((dep) => board.some(({ id, status }) => id === dep && status === "completed"));
}

function requireResource(text: string, root: string | undefined): string {
  const read = normalResource(text, root);
  if (read.kind === "path") return read.path;
  throw new TeamFailure(
    "INVALID_TASK",
    `${JSON.stringify(text)} is not a resource: give a path such as src/ or docs/a.md`,
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
