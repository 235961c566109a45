import { type ErrorCode, PanewardError } from "@paneward/sdk";
import { TeamFailure, type TeamFailureKind } from "../../model/team/failure.ts";
import type { Caller, Handlers } from "../calls.ts";
import { findThreads, postMessage, requireThread, startThread } from "./conversations.ts";
import { once } from "./idempotency.ts";
import { openTeam, requireTeam, type TeamPorts } from "./members.ts";
import type { RuntimeFiles } from "./runtime-files.ts";
import { publicWorker } from "./workers.ts";

/** Teams and threads for people and models; agents in pi use /v1. */
export function teamOperations(ports: TeamPorts, files: RuntimeFiles) {
  return {
    teams: async () => ({ teams: [...ports.store.team.teams()] }),
    team_open: ({ team, root, agent }) =>
      translateErrors(async () => {
        const agents = agent === undefined ? [] : [{ id: agent, role: hasLeader(ports, team) ? "worker" : "leader" }];
        const wanted = { agents, ...(root === undefined ? {} : { root }) };
        return files.open(ports.store.write((writer) => openTeam(ports, writer, team, wanted)));
      }),
    team_tasks: ({ team }) =>
      translateErrors(async () => {
        const teams = team === undefined ? ports.store.team.teams() : [requireTeam(ports, team)];
        return { tasks: teams.flatMap(({ teamId }) => ports.store.team.tasks(teamId)) };
      }),
    team_workers: ({ team }) =>
      translateErrors(async () => {
        if (team !== undefined) requireTeam(ports, team);
        return { workers: ports.store.team.workers(team).map(publicWorker) };
      }),
    threads: async ({ team, q }) => ({ threads: [...findThreads(ports, team, q ?? "")] }),
    thread_start: (input, caller) =>
      translateErrors(async () => {
        const { team: id, title, participants, text, idempotency_key: key } = input;
        const by = speaker(input.as, caller);
        return once(ports, id, { key, request: ["thread_start", input] }, (writer) => {
          const team = openTeam(ports, writer, id, {});
          const thread = startThread(ports, writer, team, { title, participants, by });
          if (text !== undefined) postMessage(ports, writer, thread, by, text);
          return requireThread(ports, thread.id);
        }).result;
      }),
    thread_read: ({ id, limit }) =>
      translateErrors(async () => {
        const thread = requireThread(ports, id);
        return { thread, messages: [...ports.store.team.messages(thread.id, limit)] };
      }),
    thread_post: (input, caller) =>
      translateErrors(async () => {
        const thread = requireThread(ports, input.id);
        const call = { key: input.idempotency_key, request: ["thread_post", input] };
        return once(ports, thread.teamId, call, (writer) =>
          postMessage(ports, writer, thread, speaker(input.as, caller), input.text),
        ).result;
      }),
  } satisfies Partial<Handlers>;
}

function hasLeader(ports: TeamPorts, team: string): boolean {
  return ports.store.team.team(team)?.agents.some(({ role }) => role === "leader") ?? false;
}

function speaker(as: string | undefined, { door }: Caller): string {
  return as ?? (door === "mcp" || door === "capability" ? "mcp" : "user");
}

async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TeamFailure)) throw error;
    const hint = hints[error.kind];
    throw new PanewardError(codes[error.kind], error.message, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

const codes: Readonly<Record<TeamFailureKind, ErrorCode>> = {
  invalid: "bad_input",
  unauthorized: "unauthorized",
  forbidden: "not_allowed",
  not_found: "not_found",
  conflict: "conflict",
  too_large: "too_large",
  too_many: "rate_limited",
  internal: "unexpected",
  unreachable: "unavailable",
};

const listed = "`paneward team threads` and `paneward team tasks` list what there is";
/** Where the usual hint of the code is about tokens or worktrees, not about teams. */
const hints: Readonly<Partial<Record<TeamFailureKind, string>>> = {
  not_found: listed,
  conflict: listed,
  forbidden: "only the agent that holds the task's lease may do this; `paneward team tasks` shows the holder",
};
