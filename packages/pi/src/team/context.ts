import type { Membership } from "./membership.ts";
import type { TeamSettings } from "./settings.ts";
import type { TeamTmux } from "./team-tmux.ts";
import type { Teamd } from "./teamd.ts";

/** What every tool of a team works with. */
export interface TeamContext {
  readonly membership: Membership;
  readonly teamd: Pick<Teamd, "get" | "post">;
  readonly tmux: TeamTmux;
  readonly settings: TeamSettings;
  /** This agent has claimed a task, renewed it, or let it go. */
  readonly leases: { held(id: string, lease: HeldLease): void; gone(id: string): void };
}

export interface HeldLease {
  readonly epoch: number;
  readonly expiresAt: string;
}
