import type { Restore } from "@paneward/sdk";
import type { StatusReason } from "../../model/status.ts";

/** The status of a lost one with what would bring it back, so that every door shows it. */
export function withRestore(status: StatusReason, restore: Restore | undefined): StatusReason {
  if (restore === undefined || status.status !== "Lost") return status;
  const { why } = status;
  return { ...status, why: { ...why, rule: `${why.rule}; ${restoreText(restore)}` } };
}

/** What would bring a lost program back, or why nothing does. */
function restoreText({ can, command, reason }: Restore): string {
  if (!can) return `it cannot be restored: ${reason}`;
  return reason === undefined ? `${command}` : `${command} (${reason})`;
}
