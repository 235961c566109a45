import type { TeamTask } from "@paneward/sdk";
import { covers, type NormalPath, normalPath, overlap } from "./resources.ts";
import { isLive } from "./task.ts";

/** What an agent wants to do at a path. `run` is for a command in a folder, whose files are not known beforehand. */
export const actions = ["write", "run", "start", "capture"] as const;
export type Action = (typeof actions)[number];

export interface WriteRequest {
  readonly agent: string;
  readonly path: string;
  readonly action: Action;
  /** The team's leader may start and view workers without a task. */
  readonly leads: boolean;
}

export interface WriteDecision {
  readonly allow: boolean;
  readonly reason:
    | "lease_active_for_resource"
    | "leader_may_look_after_workers"
    | "no_active_lease_for_path"
    | Exclude<NormalPath["kind"], "path">;
}

/** Allowed when a task in progress, leased to this agent and not expired, has a fitting resource. */
export function decideWrite(
  board: readonly TeamTask[],
  request: WriteRequest,
  root: string | undefined,
  now: number,
): WriteDecision {
  const read = normalPath(request.path, root);
  if (read.kind !== "path") return { allow: false, reason: read.kind };
  const resources = board
    .filter(({ status, lease }) => status === "in_progress" && lease?.holder === request.agent && isLive(lease, now))
    .flatMap((task) => task.resources);
  const fits = request.action === "write" ? covers : overlap;
  if (resources.some((resource) => fits(resource, read.path))) {
    return { allow: true, reason: "lease_active_for_resource" };
  }
  const isAboutWorkers = request.action === "start" || request.action === "capture";
  if (request.leads && isAboutWorkers) return { allow: true, reason: "leader_may_look_after_workers" };
  return { allow: false, reason: "no_active_lease_for_path" };
}
