import type { TeamWorker, Thread } from "@paneward/sdk";
import type { TeamContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";
import { attachCommand } from "./tmux-argv.ts";

interface NewWorker {
  readonly cwd: string;
  readonly taskPrompt?: string;
  /** An existing thread, instead of a new one with this title. */
  readonly threadId?: string | undefined;
  readonly title?: string | undefined;
}

/** Fails if there is no such thread. */
export async function requireThread({ teamd }: TeamContext, id: string): Promise<void> {
  await teamd.get(`/v1/threads/${encodeURIComponent(id)}/tail`, { limit: 1 });
}

/** Makes a worker known to the team: its thread, its registration, and the first message, which is not for itself and starts no turn. */
export async function enrol(
  team: TeamContext,
  { taskPrompt, threadId: given, title, cwd }: NewWorker,
  name: string,
  id: string,
): Promise<{ readonly threadId: string; readonly isWatched: boolean }> {
  const { teamd, tmux } = team;
  const [first = ""] = (taskPrompt ?? "").trim().split("\n");
  const named = title ?? (first === "" ? name : `${name}: ${first.slice(0, 80)}`);
  const started = { title: named, participants: [name] };
  const threadId =
    given ?? (await teamd.post<{ thread: Thread }>("/v1/threads", started, { key: `${id}/thread` })).thread.id;
  const isWatched = await register(team, name, threadId, cwd);
  const message = `Worker ${name} was started.\nWatch it: ${attachCommand(tmux.socket, name)}\nRead its screen: team_tmux_capture {"sessionName":"${name}"}`;
  await teamd.post(
    `/v1/threads/${threadId}/messages`,
    { message, except: [name], quiet: true },
    { key: `${id}/first` },
  );
  return { threadId, isWatched };
}

/** False if this teamd does not support workers. */
async function register(team: TeamContext, session: string, threadId: string, cwd: string): Promise<boolean> {
  try {
    const argv = team.settings.cmd;
    await team.teamd.post("/v1/workers", { session, workerId: session, threadId, cwd, argv });
    return true;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

/** Makes the workers known that this agent started while no daemon ran: from now on it hears of them. */
export async function enrolUnknown(team: TeamContext): Promise<void> {
  const { teamd, tmux, membership } = team;
  const mine = (await tmux.sessions()).filter(({ leader }) => leader === membership.agentId);
  if (mine.length === 0) return;
  const { workers } = await teamd.get<{ workers: readonly TeamWorker[] }>("/v1/workers");
  for (const { name, cwd, created, toolCallId } of mine) {
    // An earlier worker may have had the same name.
    const isKnown = workers.some(({ session, startedAt }) => session === name && startedAt >= Date.parse(created));
    if (isKnown || tmux.starting.has(name)) continue;
    const { threadId } = await enrol(team, { cwd }, name, toolCallId || name);
    const message = `${name} was started while no daemon ran. ${reportsIn(threadId)}`;
    await teamd.post(`/v1/threads/${threadId}/messages`, { message }, { key: `${toolCallId || name}/late` });
  }
}

/** Tells a worker how it reaches its leader. */
export function reportsIn(threadId: string): string {
  return `Report results and ask questions with team_threads_post in ${threadId}; answers come as messages.`;
}
