import { type ErrorCode, PanewardError } from "@paneward/sdk";
import { TeamFailure, type TeamFailureKind } from "../../model/team/failure.ts";
import type { Caller, Handlers } from "../calls.ts";
import type { World } from "../world.ts";
import { findThreads, postMessage, requireThread, startThread } from "./conversations.ts";
import { openTeam, requireTeam } from "./members.ts";
import { once } from "./once.ts";
import type { RuntimeFiles } from "./runtime-files.ts";
import { shown } from "./workers.ts";

/** Teams and threads for people and models; agents in pi use /v1. */
export function teamOperations(world: World, files: RuntimeFiles) {
  return {
    teams: async () => ({ teams: [...world.store.team.teams()] }),
    team_open: ({ team, root, agent }) =>
      translateErrors(async () => {
        const agents = agent === undefined ? [] : [{ id: agent, role: hasLeader(world, team) ? "worker" : "leader" }];
        const wanted = { agents, ...(root === undefined ? {} : { root }) };
        return files.open(world.store.write((writer) => openTeam(world, writer, team, wanted)));
      }),
    team_tasks: ({ team }) =>
      translateErrors(async () => {
        const teams = team === undefined ? world.store.team.teams() : [requireTeam(world, team)];
        return { tasks: teams.flatMap(({ teamId }) => world.store.team.tasks(teamId)) };
      }),
    team_workers: ({ team }) =>
      translateErrors(async () => {
        if (team !== undefined) requireTeam(world, team);
        return { workers: world.store.team.workers(team).map(shown) };
      }),
    threads: async ({ team, q }) => ({ threads: [...findThreads(world, team, q ?? "")] }),
    thread_start: (input, caller) =>
      translateErrors(async () => {
        const { team: id, title, participants, text, idempotency_key: key } = input;
        const by = speaker(input.as, caller);
        return once(world, id, { key, asked: ["thread_start", input] }, (writer) => {
          const team = openTeam(world, writer, id, {});
          const thread = startThread(world, writer, team, { title, participants, by });
          if (text !== undefined) postMessage(world, writer, thread, by, text);
          return requireThread(world, thread.id);
        }).result;
      }),
    thread_read: ({ id, limit }) =>
      translateErrors(async () => {
        const thread = requireThread(world, id);
        return { thread, messages: [...world.store.team.messages(thread.id, limit)] };
      }),
    thread_post: (input, caller) =>
      translateErrors(async () => {
        const thread = requireThread(world, input.id);
        const call = { key: input.idempotency_key, asked: ["thread_post", input] };
        return once(world, thread.teamId, call, (writer) =>
          postMessage(world, writer, thread, speaker(input.as, caller), input.text),
        ).result;
      }),
  } satisfies Partial<Handlers>;
}

function hasLeader(world: World, team: string): boolean {
  return world.store.team.team(team)?.agents.some(({ role }) => role === "leader") ?? false;
}

function speaker(as: string | undefined, { door }: Caller): string {
  return as ?? (door === "mcp" || door === "capability" ? "mcp" : "user");
}

async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TeamFailure)) throw error;
    const hint =
      error.kind === "not_found" ? "`paneward team threads` and `paneward team tasks` list what there is" : undefined;
    throw new PanewardError(codes[error.kind] ?? "unexpected", error.message, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

const codes: Readonly<Partial<Record<TeamFailureKind, ErrorCode>>> = {
  invalid: "bad_input",
  not_found: "not_found",
  conflict: "conflict",
};
