import type { Membership } from "./membership.ts";
import type { TeamSettings } from "./settings.ts";
import type { TeamTmux } from "./team-tmux.ts";
import type { Teamd } from "./teamd.ts";

/** What all tools of a team use. */
export interface TeamContext {
  readonly membership: Membership;
  readonly teamd: Pick<Teamd, "get" | "post">;
  readonly tmux: TeamTmux;
  readonly settings: TeamSettings;
  /** Called when this agent has claimed, renewed or released a task. */
  readonly leases: { held(id: string, lease: HeldLease): void; gone(id: string): void };
}

export interface HeldLease {
  readonly epoch: number;
  readonly expiresAt: string;
}
