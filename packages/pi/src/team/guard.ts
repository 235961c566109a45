import { visible } from "@paneward/sdk";
import type { PiContext, ToolCall, ToolCallAnswer } from "../pi/api.ts";
import type { TeamContext } from "./context.ts";
import { askPermission, howToClaim, type Permission } from "./permission.ts";
import { realTarget } from "./real-path.ts";

export const guarded: ReadonlySet<string> = new Set(["write", "edit", "bash"]);

/** Allows write, edit and bash if this agent's lease permits it, in interactive and other modes. */
export async function guard(
  team: TeamContext,
  call: ToolCall,
  ctx: PiContext,
  home: string,
): Promise<ToolCallAnswer | undefined> {
  const permission = await ask(team, call, ctx.cwd, home);
  if (!permission || permission.allow) return undefined;
  const what = `Write blocked: active lease required (${permission.reason}).`;
  const reason = `${what} To continue: ${permission.failure?.sentence ?? howToClaim(permission.path)}.`;
  if (ctx.hasUI) ctx.ui.notify(visible(reason), "warning");
  return { block: true, reason };
}

async function ask(
  team: TeamContext,
  { toolName, input }: ToolCall,
  cwd: string,
  home: string,
): Promise<(Permission & { readonly path: string }) | undefined> {
  const asked = async (path: string, action: "run" | "write") => ({
    path,
    ...(await askPermission(team, path, action)),
  });
  if (toolName === "bash") return asked(realTarget(cwd, ".", home) ?? cwd, "run");
  if (toolName !== "write" && toolName !== "edit") return undefined;
  const path = "path" in input && typeof input.path === "string" ? input.path : "";
  const target = path === "" ? undefined : realTarget(cwd, path, home);
  return target === undefined ? { allow: false, reason: "invalid_path", path } : asked(target, "write");
}
