import type { TeamTask } from "@paneward/sdk";
import { covers, type Normal, normalPath, overlap } from "./resources.ts";
import { isLive } from "./task.ts";

/** What somebody wants to do at a path. A command runs in a folder; nobody knows beforehand which files it writes. */
export const actions = ["write", "run", "start", "capture"] as const;
export type Action = (typeof actions)[number];

export interface Asked {
  readonly agent: string;
  readonly path: string;
  readonly action: Action;
  /** The team's leader starts workers and looks at them without holding a task. */
  readonly leads: boolean;
}

export interface Decision {
  readonly allow: boolean;
  readonly reason:
    | "lease_active_for_resource"
    | "leader_may_look_after_workers"
    | "no_active_lease_for_path"
    | Exclude<Normal["kind"], "path">;
}

/** Is there a task in progress, leased to this agent and not expired, whose resources allow it? */
export function decideWrite(board: readonly TeamTask[], asked: Asked, root: string | undefined, now: number): Decision {
  const read = normalPath(asked.path, root);
  if (read.kind !== "path") return { allow: false, reason: read.kind };
  const resources = board
    .filter(({ status, lease }) => status === "in_progress" && lease?.holder === asked.agent && isLive(lease, now))
    .flatMap((task) => task.resources);
  const fits = asked.action === "write" ? covers : overlap;
  if (resources.some((resource) => fits(resource, read.path))) {
    return { allow: true, reason: "lease_active_for_resource" };
  }
  const looksAfterWorkers = asked.action === "start" || asked.action === "capture";
  if (asked.leads && looksAfterWorkers) return { allow: true, reason: "leader_may_look_after_workers" };
  return { allow: false, reason: "no_active_lease_for_path" };
}
