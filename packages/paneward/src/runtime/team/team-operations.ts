import { type ErrorCode, PanewardError, type Thread, type ThreadMessage } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Handlers } from "../handlers.ts";
import type { Caller, Runtime } from "../world.ts";
import { findThreads, postMessage, requireThread, startThread } from "./conversations.ts";
import { openTeam, requireTeam } from "./members.ts";
import { once } from "./once.ts";
import type { RuntimeFiles } from "./runtime-files.ts";
import { shown } from "./workers.ts";

/** Teams and threads for people and models; agents in pi come by /v1. */
export function teamOperations(rt: Runtime, files: RuntimeFiles) {
  return {
    teams: async () => ({ teams: [...rt.store.team.teams()] }),
    team_open: ({ team, root, agent }) =>
      inOurWords(async () => {
        const agents = agent === undefined ? [] : [{ id: agent, role: hasLeader(rt, team) ? "worker" : "leader" }];
        const wanted = { agents, ...(root === undefined ? {} : { root }) };
        return files.open(rt.store.write((writer) => openTeam(rt, writer, team, wanted)));
      }),
    team_tasks: ({ team }) =>
      inOurWords(async () => {
        const teams = team === undefined ? rt.store.team.teams() : [requireTeam(rt, team)];
        return { tasks: teams.flatMap(({ teamId }) => rt.store.team.tasks(teamId)) };
      }),
    team_workers: ({ team }) =>
      inOurWords(async () => {
        if (team !== undefined) requireTeam(rt, team);
        return { workers: rt.store.team.workers(team).map(shown) };
      }),
    threads: async ({ team, q }) => ({ threads: [...findThreads(rt, team, q ?? "")] }),
    thread_start: (input, caller) =>
      inOurWords(async () => {
        const { team: id, title, participants, text, idempotency_key: key } = input;
        const by = speaker(input.as, caller);
        const { body } = once(rt, id, { key, asked: ["thread_start", input] }, (writer) => {
          const team = openTeam(rt, writer, id, {});
          const thread = startThread(rt, writer, team, { title, participants, by });
          if (text !== undefined) postMessage(rt, writer, thread, by, text);
          return { status: 201, body: requireThread(rt, thread.id) };
        });
        return body as Thread;
      }),
    thread_read: ({ id, limit }) =>
      inOurWords(async () => {
        const thread = requireThread(rt, id);
        return { thread, messages: [...rt.store.team.messages(thread.id, limit)] };
      }),
    thread_post: (input, caller) =>
      inOurWords(async () => {
        const thread = requireThread(rt, input.id);
        const call = { key: input.idempotency_key, asked: ["thread_post", input] };
        const { body } = once(rt, thread.teamId, call, (writer) => ({
          status: 201,
          body: postMessage(rt, writer, thread, speaker(input.as, caller), input.text),
        }));
        return body as ThreadMessage;
      }),
  } satisfies Partial<Handlers>;
}

function hasLeader(rt: Runtime, team: string): boolean {
  return rt.store.team.team(team)?.agents.some(({ role }) => role === "leader") ?? false;
}

function speaker(as: string | undefined, { door }: Caller): string {
  return as ?? (door === "mcp" || door === "capability" ? "mcp" : "user");
}

async function inOurWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TeamFailure)) throw error;
    const hint =
      error.status === 404 ? "`paneward team threads` and `paneward team tasks` list what there is" : undefined;
    throw new PanewardError(codes[error.status] ?? "unexpected", error.message, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

const codes: Readonly<Record<number, ErrorCode>> = { 400: "bad_input", 404: "not_found", 409: "conflict" };
