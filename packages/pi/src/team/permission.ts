import type { TeamContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";

export type Action = "write" | "run" | "start" | "capture";

export interface Permission {
  readonly allow: boolean;
  readonly reason: string;
}

/** Asks the team. If the team cannot be reached, the answer is no. */
export async function askPermission({ teamd }: TeamContext, path: string, action: Action): Promise<Permission> {
  try {
    return await teamd.get<Permission>("/v1/can-write", { path, action });
  } catch (error) {
    return { allow: false, reason: error instanceof ToolFailure ? reasonOf(error) : "can_write_check_failed" };
  }
}

function reasonOf({ code }: ToolFailure): string {
  return code === "missing_teamd_discovery" ? code : "can_write_check_failed";
}

/** True if the team allows it; false if there is no team, and therefore no lease. */
export async function requireAllowed(team: TeamContext, path: string, action: Action): Promise<boolean> {
  const { allow, reason } = await askPermission(team, path, action);
  if (allow) return true;
  if (reason === "missing_teamd_discovery") return false;
  throw new ToolFailure(reason, `${action} at ${path} is not allowed: claim a task with a resource that covers it`);
}
