import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Thread } from "@paneward/sdk";
import { capture } from "./capture.ts";
import type { TeamContext } from "./context.ts";
import { deliverPrompt, type Typist } from "./deliver.ts";
import { ToolFailure } from "./failure.ts";
import { requireAllowed } from "./permission.ts";
import { chooseSession, defaultPrefix, safePrefix } from "./session-names.ts";
import { attachCommand } from "./tmux-argv.ts";
import type { ToolCall } from "./tool.ts";

export interface StartParams {
  readonly taskPrompt: string;
  readonly threadId?: string | undefined;
  readonly sessionPrefix?: string | undefined;
  readonly cwd?: string | undefined;
  readonly lines?: number | undefined;
  readonly title?: string | undefined;
}

/** Starts a worker: a session, a thread, a registration in the daemon, and the prompt in its editor. */
export async function startWorker(team: TeamContext, params: StartParams, { id, ctx }: ToolCall): Promise<object> {
  const { tmux } = team;
  requireText(params.taskPrompt);
  const cwd = await realFolder(resolve(ctx.cwd, params.cwd ?? "."));
  const hasTeamd = await requireAllowed(team, cwd, "start");
  const prefix = safePrefix(params.sessionPrefix ?? defaultPrefix);
  const { name, exists } = await opened(team, prefix, cwd, id);
  const known = { sessionName: name, attach: attachCommand(tmux.socket, name), socket: tmux.socket };
  if (exists) return { ...known, created: false, ...(await firstLook(team, name, params.lines)) };
  const threadId = hasTeamd ? await threadFor(team, params, name, id) : undefined;
  const isWatched = threadId !== undefined && (await register(team, name, threadId, cwd));
  if (threadId !== undefined) await announce(team, threadId, known, id);
  const typist = isWatched ? byCourier(team, name, id) : byExtension(team, name);
  const delivered = await deliverPrompt(tmux, name, promptFor(params.taskPrompt, name, threadId), typist);
  return {
    ...known,
    created: true,
    threadId: threadId ?? null,
    delivered,
    ...(await firstLook(team, name, params.lines)),
  };
}

// Two concurrent starts may choose the same name: tmux accepts one, and the other chooses again.
async function opened(team: TeamContext, prefix: string, cwd: string, toolCallId: string) {
  const { tmux, settings, membership } = team;
  for (let tries = 0; ; tries++) {
    const chosen = chooseSession(await tmux.sessions(), prefix, toolCallId);
    if (chosen.exists) return chosen;
    const { name } = chosen;
    const env = { PI_TEAM_ID: membership.teamId, PI_AGENT_ID: name, PI_TEAM_ROLE: "worker" };
    try {
      await tmux.start(settings, { name, cwd, env, toolCallId });
      return chosen;
    } catch (error) {
      if (!/duplicate session/.test(String(error)) || tries > maxTries) throw error;
    }
  }
}

const maxTries = 50;

async function firstLook(team: TeamContext, name: string, lines: number | undefined): Promise<object> {
  return lines === undefined ? {} : { capture: (await capture(team, name, lines)).text };
}

async function threadFor({ teamd }: TeamContext, params: StartParams, name: string, id: string): Promise<string> {
  if (params.threadId !== undefined) return params.threadId;
  const [first = ""] = params.taskPrompt.trim().split("\n");
  const title = params.title ?? `${name}: ${first.slice(0, 80)}`;
  const { thread } = await teamd.post<{ thread: Thread }>(
    "/v1/threads",
    { title, participants: [name] },
    { key: `${id}/thread` },
  );
  return thread.id;
}

function announce(
  { teamd }: TeamContext,
  threadId: string,
  { sessionName, attach }: { readonly sessionName: string; readonly attach: string },
  id: string,
): Promise<unknown> {
  const message = `Worker ${sessionName} was started.\nWatch it: ${attach}\nRead its screen: team_tmux_capture {"sessionName":"${sessionName}"}`;
  return teamd.post(`/v1/threads/${threadId}/messages`, { message }, { key: `${id}/first` });
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

function byCourier({ teamd }: TeamContext, name: string, id: string): Typist {
  const send = (text: string, key?: string) =>
    teamd.post<{ delivery: { state: string } }>(`/v1/workers/${name}/send`, { text, ack: 5 }, { key });
  return {
    submits: true,
    type: async (text) => (await send(text, `${id}/prompt`)).delivery.state,
    enter: () => send(""),
  };
}

function byExtension({ tmux }: TeamContext, name: string): Typist {
  return {
    submits: false,
    async type(text) {
      await tmux.type(name, text);
      return "typed by the extension";
    },
    enter: () => tmux.enter(name),
  };
}

function promptFor(prompt: string, name: string, threadId: string | undefined): string {
  if (threadId === undefined) return prompt;
  return `${prompt}\n\nYou are ${name}. Report results and ask questions with team_threads_post in ${threadId}; answers come as messages.`;
}

// pi runs what begins with `!` in a shell, and `/word` is a command of its own or of an extension.
function requireText(prompt: string): void {
  if (!/^\s*(?:!|\/[A-Za-z][\w:.-]*(?:\s|$))/.test(prompt)) return;
  throw new ToolFailure("invalid_prompt", "pi would take this prompt for a command; begin it with other words");
}

async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw new ToolFailure("invalid_cwd", `the folder ${path} does not exist`);
  }
}
