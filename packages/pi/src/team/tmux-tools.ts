import type { TeamWorker } from "@paneward/sdk";
import { Type } from "typebox";
import type { PiTool } from "../pi/api.ts";
import { capture } from "./capture.ts";
import type { TeamContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";
import { requireAllowed } from "./permission.ts";
import { safePrefix } from "./session-names.ts";
import { startWorker } from "./start.ts";
import { attachCommand } from "./tmux-argv.ts";
import { tool } from "./tool.ts";

const sessionName = Type.String({ description: "such as worker1; team_tmux_list lists them" });
const lines = Type.Optional(Type.Integer({ minimum: 1, description: "number of lines from the end" }));

/** Workers: pi in tmux sessions on the team's own server. */
export function tmuxTools(team: TeamContext): readonly PiTool[] {
  const { tmux, teamd } = team;
  const at = (name: string) => `/v1/workers/${encodeURIComponent(name)}`;
  return [
    tool(
      "team_tmux_start",
      "Start a worker: an interactive pi in its own tmux session, with this prompt. It reports in a thread; you get a message when it posts, asks, goes silent or ends. Do not poll it. If the result has `asks`, a dialog is open first: answer it with team_tmux_answer, or ask the user; the prompt goes in after that.",
      {
        taskPrompt: Type.String({ minLength: 1, description: "everything the worker needs to know" }),
        threadId: Type.Optional(Type.String({ description: "where it reports; default: a new thread" })),
        sessionPrefix: Type.Optional(Type.String({ description: "default worker; a number is appended" })),
        cwd: Type.Optional(Type.String()),
        lines,
        title: Type.Optional(Type.String({ description: "of the new thread" })),
      },
      (params, call) => startWorker(team, params, call),
    ),
    tool(
      "team_tmux_list",
      "The team's sessions.",
      { sessionPrefix: Type.Optional(Type.String()) },
      async ({ sessionPrefix }) => {
        const prefix = sessionPrefix === undefined ? "" : safePrefix(sessionPrefix);
        const found = (await tmux.sessions()).filter(({ name }) => name.startsWith(prefix));
        return { sessions: found.map(({ name, windows, created }) => ({ name, windows, created })) };
      },
    ),
    tool(
      "team_tmux_attach",
      "The command with which a person can attach to a session.",
      { sessionName },
      async (params) => {
        const { name } = await tmux.requireSession(params.sessionName);
        return { command: attachCommand(tmux.socket, name) };
      },
    ),
    tool(
      "team_tmux_capture",
      "The last lines of a session; posted to a thread if one is given.",
      { sessionName, lines, threadId: Type.Optional(Type.String()) },
      async (params, { id, ctx }) => {
        await requireAllowed(team, ctx.cwd, "capture");
        const { name } = await tmux.requireSession(params.sessionName);
        const taken = await capture(team, name, params.lines);
        if (params.threadId !== undefined) {
          const path = `/v1/threads/${encodeURIComponent(params.threadId)}/messages`;
          // The captured one has it on its screen; the others find it when they read the thread.
          const message = `Screen of ${name}:\n${taken.text}`;
          await teamd.post(path, { message, except: [name], quiet: true }, { key: id });
        }
        return { sessionName: name, ...taken };
      },
    ),
    tool(
      "team_tmux_send",
      "Type a text into a worker and press Enter. Only for what a thread cannot do. While a dialog is open it is refused: team_tmux_answer answers dialogs. Commands of pi, such as /compact, need `command`.",
      { sessionName, text: Type.String({ minLength: 1 }), command: Type.Optional(Type.Boolean()) },
      async (params, { id }) => {
        const { name } = await tmux.requireSession(params.sessionName);
        return teamd.post(
          `${at(name)}/send`,
          { text: params.text, command: params.command ?? false, ack: 10 },
          { key: id },
        );
      },
    ),
    tool(
      "team_tmux_answer",
      "Answer what a worker of yours asks: the number of an option, or a text. Refused if it asks nothing or something else by now. Ask the user first whenever you are not sure, and before anything is trusted, deleted or published.",
      {
        sessionName,
        option: Type.Optional(Type.Integer({ minimum: 0, description: "as numbered in the message" })),
        text: Type.Optional(Type.String()),
      },
      async ({ sessionName: name, option, text }, { id }) => {
        if ((option === undefined) === (text === undefined)) {
          throw new ToolFailure("invalid_answer", "give either `option` or `text`");
        }
        return teamd.post<object>(`${at(name)}/answer`, { option, text }, { key: id });
      },
    ),
    tool(
      "team_tmux_wait",
      "Wait until a worker asks, goes silent or ends. You get a message anyway; wait only if there is nothing else to do.",
      {
        sessionName,
        seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, description: "default 60" })),
      },
      async ({ sessionName: name, seconds = 60 }, { signal }) => {
        const answer = await teamd.get<{ worker: TeamWorker }>(at(name), { wait: seconds }, { signal });
        return { ...answer, timedOut: answer.worker.state === "working" };
      },
    ),
    tool("team_tmux_stop", "End a worker's program and its session.", { sessionName }, async (params) => {
      const { name } = await tmux.requireSession(params.sessionName);
      const stopped = await teamd.post<object>(`${at(name)}/stop`).catch((error: unknown) => {
        if (error instanceof ToolFailure && notWatched.has(error.code)) return undefined;
        throw error;
      });
      if (!stopped) await tmux.kill(name);
      return { sessionName: name, stopped: true };
    }),
  ];
}

const notWatched: ReadonlySet<string> = new Set(["missing_teamd_discovery", "NOT_FOUND", "WORKER_NOT_FOUND"]);
