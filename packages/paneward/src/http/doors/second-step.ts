import { PanewardError } from "@paneward/sdk";
import type { HttpContext } from "../env.ts";

/** The page's address where others could be, too; undefined on this machine's own. */
export function tlsOrigin(c: HttpContext): string | undefined {
  const site = c.get("site");
  return site?.protocol === "https:" ? site.origin : undefined;
}

export function needsPasskey(c: HttpContext, policy: "required" | "off"): boolean {
  return policy === "required" && tlsOrigin(c) !== undefined;
}

/** A session is valid under the Host that it was opened under. */
export function hostHeader(c: HttpContext): string {
  return c.req.header("host")?.toLowerCase() ?? "";
}

export function requirePort(c: HttpContext): void {
  if (c.env.via.kind !== "tcp")
    throw new PanewardError("wrong_state", "the Unix socket needs no login", { hint: "log in over loopback" });
}
