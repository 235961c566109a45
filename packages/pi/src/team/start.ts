import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TeamWorker } from "@paneward/sdk";
import { capture } from "./capture.ts";
import type { TeamContext } from "./context.ts";
import { deliverPrompt, type Typist } from "./deliver.ts";
import { enrol, reportsIn, requireThread } from "./enrol.ts";
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
export async function startWorker(team: TeamContext, params: StartParams, call: ToolCall): Promise<object> {
  const { tmux } = team;
  const { id, ctx, signal } = call;
  requireText(params.taskPrompt);
  const cwd = await realFolder(resolve(ctx.cwd, params.cwd ?? "."));
  const hasTeamd = await requireAllowed(team, cwd, "start");
  if (hasTeamd && params.threadId !== undefined) await requireThread(team, params.threadId);
  const prefix = safePrefix(params.sessionPrefix ?? defaultPrefix);
  const { name, exists } = await opened(team, prefix, cwd, id);
  const known = { sessionName: name, attach: attachCommand(tmux.socket, name), socket: tmux.socket };
  if (exists) return { ...known, created: false, ...(await firstLook(team, name, params.lines)) };
  const { threadId, isWatched } = await enrolled(team, { ...params, cwd }, name, id, hasTeamd);
  const typist = isWatched ? byCourier(team, name, id) : byExtension(team, name);
  const prompt = promptFor(params.taskPrompt, name, threadId);
  const delivered = await deliverPrompt(tmux, name, prompt, typist, signal);
  const isAsked = isWatched && delivered.asks !== undefined;
  return {
    ...known,
    created: true,
    threadId: threadId ?? null,
    ...delivered,
    ...(isAsked ? await questionOf(team, name, signal) : {}),
    ...(await firstLook(team, name, params.lines)),
  };
}

async function enrolled(
  team: TeamContext,
  params: StartParams & { readonly cwd: string },
  name: string,
  id: string,
  hasTeamd: boolean,
): Promise<{ readonly threadId?: string; readonly isWatched: boolean }> {
  try {
    return hasTeamd ? await enrol(team, params, name, id) : { isWatched: false };
  } catch (error) {
    // It has no prompt yet, and nobody would know of it.
    await team.tmux.kill(name);
    throw error;
  } finally {
    team.tmux.starting.delete(name);
  }
}

// The daemon believes a dialog a moment later, and then knows its options.
async function questionOf({ teamd }: TeamContext, name: string, signal: AbortSignal | undefined): Promise<object> {
  const path = `/v1/workers/${encodeURIComponent(name)}`;
  const { worker } = await teamd.get<{ worker: TeamWorker }>(path, { wait: 5 }, { signal });
  if (!worker.question) return {};
  const { text, options } = worker.question;
  return { asks: text, options: options.map(({ number, label }) => ({ option: number, label })) };
}

// Two concurrent starts may choose the same name: tmux accepts one, and the other chooses again.
async function opened(team: TeamContext, prefix: string, cwd: string, toolCallId: string) {
  const { tmux, settings, membership } = team;
  for (let tries = 0; ; tries++) {
    const chosen = chooseSession(await tmux.sessions(), prefix, toolCallId);
    if (chosen.exists) return chosen;
    const { name } = chosen;
    tmux.starting.add(name);
    const env = { PI_TEAM_ID: membership.teamId, PI_AGENT_ID: name, PI_TEAM_ROLE: "worker" };
    try {
      await tmux.start(settings, { name, cwd, env, toolCallId, leader: membership.agentId });
      return chosen;
    } catch (error) {
      tmux.starting.delete(name);
      if (!/duplicate session/.test(String(error)) || tries > maxTries) throw error;
    }
  }
}

const maxTries = 50;

async function firstLook(team: TeamContext, name: string, lines: number | undefined): Promise<object> {
  return lines === undefined ? {} : { capture: (await capture(team, name, lines)).text };
}

function byCourier({ teamd }: TeamContext, name: string, id: string): Typist {
  const send = (text: string, ack: number, key?: string) =>
    teamd.post<{ delivery: { state: string } }>(`/v1/workers/${name}/send`, { text, ack, waits: true }, { key });
  return {
    waits: true,
    type: async (text, behindDialog) => (await send(text, behindDialog ? 1 : 5, `${id}/prompt`)).delivery.state,
    enter: () => send("", 5),
  };
}

function byExtension({ tmux }: TeamContext, name: string): Typist {
  return {
    waits: false,
    async type(text) {
      await tmux.type(name, text);
      return "typed by the extension";
    },
    enter: () => tmux.enter(name),
  };
}

function promptFor(prompt: string, name: string, threadId: string | undefined): string {
  if (threadId === undefined) return prompt;
  return `${prompt}\n\nYou are ${name}. ${reportsIn(threadId)}`;
}

// pi runs what begins with `!` in a shell, and `/word` is a command of its own or of an extension.
function requireText(prompt: string): void {
  if (!/^\s*(?:!|\/[A-Za-z][\w:.-]*(?:\s|$))/.test(prompt)) return;
  throw new ToolFailure("invalid_prompt", "pi would take this prompt for a command; begin it with other words");
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw new ToolFailure("invalid_cwd", `the folder ${path} does not exist`);
  if ((await stat(real)).isDirectory()) return real;
  throw new ToolFailure("invalid_cwd", `${path} is not a folder`);
}
