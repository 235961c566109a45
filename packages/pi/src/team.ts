import { realpathSync } from "node:fs";
import { type Lease, teamTmuxSocket, visible } from "@paneward/sdk";
import type { Pi } from "./pi/api.ts";
import type { TeamContext } from "./team/context.ts";
import { discover } from "./team/discovery.ts";
import { enrolUnknown } from "./team/enrol.ts";
import { guard, guarded } from "./team/guard.ts";
import { LeaseKeeper } from "./team/lease-keeper.ts";
import { type Membership, membershipOf } from "./team/membership.ts";
import { News } from "./team/news.ts";
import { readSettings } from "./team/settings.ts";
import { taskTools } from "./team/task-tools.ts";
import { TeamTmux } from "./team/team-tmux.ts";
import { Teamd } from "./team/teamd.ts";
import { threadTools } from "./team/thread-tools.ts";
import { runTmux } from "./team/tmux-runner.ts";
import { tmuxTools } from "./team/tmux-tools.ts";

/** A pi in a team: tools for board, threads and workers, news from its inbox, and a guard before writes. */
export default function team(pi: Pi): void {
  const membership = membershipOf(process.env, process.pid);
  if (membership === undefined) return;
  if ("error" in membership) refuse(pi, membership.error);
  else join(pi, membership);
}

/** It was meant to be in a team: without one it may not write. */
function refuse(pi: Pi, error: string): void {
  pi.on("session_start", (_event, { hasUI, ui }) => {
    if (hasUI) ui.notify(visible(error), "error");
  });
  pi.on("tool_call", ({ toolName }) => (guarded.has(toolName) ? { block: true, reason: error } : undefined));
}

function join(pi: Pi, membership: Membership): void {
  const { env } = process;
  const { teamId, agentId } = membership;
  const home = env.HOME ?? "/";
  const teamd = new Teamd(() => discover(membership, env, realpathSync(process.cwd())), { teamId, agentId });
  const leases = new LeaseKeeper(async (task, epoch, ttlMs) => {
    const { lease } = await teamd.post<{ lease: Lease }>(`/v1/tasks/${task}/renew`, { epoch, ttlMs });
    return lease;
  });
  const tmux = new TeamTmux(teamTmuxSocket(home, teamId), runTmux, env);
  const context: TeamContext = { membership, teamd, tmux, settings: readSettings(env), leases };
  for (const one of [...taskTools(context), ...threadTools(context), ...tmuxTools(context)]) pi.registerTool(one);

  let news: News | undefined;
  let following: AbortController | undefined;
  pi.on("session_start", (_event, ctx) => {
    following?.abort();
    following = new AbortController();
    const reached = () => (membership.isWorker ? Promise.resolve() : enrolUnknown(context));
    news = new News(pi, ctx, teamd, membership.isWorker, reached);
    news.follow(following.signal).catch(() => {});
  });
  pi.on("session_shutdown", () => {
    following?.abort();
    news = undefined;
    leases.rests();
  });
  pi.on("message_start", ({ message }) => news?.outbox.arrived(message));
  pi.on("agent_start", () => leases.works());
  pi.on("agent_end", ({ messages }) => news?.outbox.ended(messages));
  pi.on("agent_settled", () => {
    leases.rests();
    news?.outbox.settled();
  });
  pi.on("tool_call", (event, ctx) => guard(context, event, ctx, home));
}
