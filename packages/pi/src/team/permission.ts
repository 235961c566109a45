import type { TeamContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";

export type Action = "write" | "run" | "start" | "capture";

export interface Permission {
  readonly allow: boolean;
  readonly reason: string;
  /** Why the team could not be asked. */
  readonly failure?: ToolFailure;
}

/** Asks the team. If the team cannot be reached, the answer is no. */
export async function askPermission({ teamd }: TeamContext, path: string, action: Action): Promise<Permission> {
  try {
    return await teamd.get<Permission>("/v1/can-write", { path, action });
  } catch (error) {
    if (!(error instanceof ToolFailure)) return { allow: false, reason: "can_write_check_failed" };
    const isMissing = error.code === "missing_teamd_discovery";
    return { allow: false, reason: isMissing ? error.code : "can_write_check_failed", failure: error };
  }
}

/** True if the team allows it; false if there is no team, and therefore no lease. */
export async function requireAllowed(team: TeamContext, path: string, action: Action): Promise<boolean> {
  const { allow, reason, failure } = await askPermission(team, path, action);
  if (allow) return true;
  if (reason === "missing_teamd_discovery") return false;
  if (failure) throw failure;
  throw new ToolFailure(reason, `${action} at ${path} is not allowed: ${howToClaim(path)}`);
}

/** What to do without a lease. */
export function howToClaim(path: string): string {
  return `claim a task whose resources cover ${path}: team_tasks_list shows the board, team_tasks_claim takes a task, and team_tasks_create with \`resources\` makes one`;
}
