import { actions } from "../../model/team/can-write.ts";
import { TeamFailure } from "../../model/team/failure.ts";
import { canWrite, claimTask, createTask, finishTask, renewTask, requireTask } from "./board.ts";
import { findThreads, linkThread, postMessage, requireThread, startThread } from "./conversations.ts";
import type { Fields } from "./fields.ts";
import { readInbox } from "./inbox.ts";
import { joinTeam, openTeam, requireAgentName, requireTeam } from "./members.ts";
import { type Answered, once } from "./once.ts";
import { agentIn, ok, requireOwn, type TeamCall, type TeamRequest, teamNamed, teamOf } from "./request.ts";
import { workerCalls } from "./worker-calls.ts";

/** teamd's contract, and what workers need beyond it. `*` stands for one part of the path. */
export const teamCalls: Readonly<Record<string, TeamCall>> = {
  "GET /v1/teams": ({ service, only }) => {
    const teams = service.world.store.team.teams();
    return ok({ teams: teams.filter(({ teamId }) => only === undefined || teamId === only) });
  },
  "POST /v1/teams": async (request) => {
    const { service, fields } = request;
    const id = fields.text("teamId", "INVALID_TEAM_ID", request.only ?? "default");
    requireOwn(request, id);
    const answer = writing(request, id, (writer) =>
      created({ team: openTeam(service.world, writer, id, { agents: fields.agents() }) }),
    );
    await service.files.open(requireTeam(service.world, id));
    return answer;
  },
  "GET /v1/teams/*": (request) => ok({ team: teamNamed(request, request.id) }),
  "GET /v1/tasks": (request) => ok({ tasks: request.service.world.store.team.tasks(teamOf(request).teamId) }),
  "GET /v1/tasks/*": (request) => ok({ task: requireTask(request.service.world, teamOf(request), request.id) }),
  "POST /v1/tasks": (request) => {
    const { service, fields } = request;
    const team = teamOf(request);
    const wanted = {
      title: fields.title(),
      description: fields.text("description", "INVALID_TASK", ""),
      deps: fields.texts("deps", "INVALID_TASK"),
      resources: fields.texts("resources", "INVALID_TASK"),
    };
    const by = fields.text("agentId", "INVALID_AGENT_ID", "system");
    const answer = writing(request, team.teamId, (writer) =>
      created({ task: createTask(service.world, writer, team, wanted, by) }),
    );
    return answer.repeated ? { ...answer, status: 200 } : answer;
  },
  "POST /v1/tasks/*/claim": (request) => {
    const { service, fields, id } = request;
    const team = teamOf(request);
    const by = { agent: agentIn(fields), ...fields.ttl() };
    return writing(request, team.teamId, (writer) => ok(claimTask(service.world, writer, team, id, by)));
  },
  "POST /v1/tasks/*/renew": (request) => {
    const { service, fields, id } = request;
    const team = teamOf(request);
    const held = { agent: agentIn(fields), epoch: fields.whole("epoch", "INVALID_TASK") };
    return writing(request, team.teamId, (writer) =>
      ok(renewTask(service.world, writer, team, id, held, fields.ttl().ttlMs)),
    );
  },
  "POST /v1/tasks/*/complete": (request) => finish(request, "completed"),
  "POST /v1/tasks/*/fail": (request) => finish(request, "failed"),
  "GET /v1/inbox": async (request) => {
    const { service, fields, signal } = request;
    const team = teamOf(request);
    const agent = agentIn(fields);
    const since = fields.text("since", "INVALID_AGENT_ID", "0");
    if (!/^(seen|\d{1,15})$/.test(since)) throw new TeamFailure("INVALID_AGENT_ID", "since is a cursor of the inbox");
    const wait = fields.seconds("wait", 600);
    service.world.store.write((writer) => joinTeam(service.world, writer, team, agent, "worker"));
    const from = since === "seen" ? since : Number(since);
    const asked = { team: team.teamId, agent, since: from, limit: 1_000, waitMs: wait * 1_000 } as const;
    return ok(await readInbox(service.world, asked, signal));
  },
  "POST /v1/threads": (request) => {
    const { service, fields } = request;
    const team = teamOf(request);
    const taskId = fields.optional("taskId", "INVALID_TASK");
    const wanted = {
      title: fields.text("title", "INVALID_THREAD_MESSAGE", "Thread"),
      participants: fields.texts("participants", "INVALID_AGENT_ID"),
      by: speaker(fields),
      ...(taskId === undefined ? {} : { taskId }),
    };
    return writing(request, team.teamId, (writer) =>
      created({ thread: startThread(service.world, writer, team, wanted) }),
    );
  },
  "GET /v1/threads/search": (request) => {
    const { fields, service } = request;
    const text = fields.text("q", "INVALID_THREAD_MESSAGE", "");
    return ok({ threads: findThreads(service.world, teamOf(request).teamId, text) });
  },
  "GET /v1/threads/*/tail": (request) => {
    const { service, fields, id } = request;
    const thread = requireThread(service.world, id, teamOf(request));
    const limit = Math.min(200, Math.max(1, fields.whole("limit", "INVALID_THREAD_MESSAGE", 20)));
    return ok({ thread, messages: service.world.store.team.messages(id, limit) });
  },
  "POST /v1/threads/*/messages": (request) => {
    const { service, fields, id } = request;
    const team = teamOf(request);
    const body = fields.text("message", "INVALID_THREAD_MESSAGE");
    if (body.trim() === "") throw new TeamFailure("INVALID_THREAD_MESSAGE", "a message needs words");
    return writing(request, team.teamId, (writer) =>
      created({
        message: postMessage(service.world, writer, requireThread(service.world, id, team), speaker(fields), body),
      }),
    );
  },
  "POST /v1/threads/*/link": (request) => {
    const { service, fields, id } = request;
    const team = teamOf(request);
    const taskId = fields.text("taskId", "INVALID_TASK");
    return writing(request, team.teamId, (writer) =>
      ok({
        thread: linkThread(
          service.world,
          writer,
          team,
          requireThread(service.world, id, team),
          taskId,
          speaker(fields),
        ),
      }),
    );
  },
  "GET /v1/can-write": (request) => {
    const { service, fields } = request;
    const action = fields.text("action", "INVALID_TASK", "write");
    const known = actions.find((one) => one === action);
    if (!known) throw new TeamFailure("INVALID_TASK", `an action is one of ${actions.join(", ")}`);
    const asked = { agent: agentIn(fields), path: fields.text("path", "INVALID_TASK", ""), action: known };
    return ok(canWrite(service.world, teamOf(request), asked));
  },
  ...workerCalls,
};

function created(body: unknown): Answered {
  return { status: 201, body };
}

function speaker(fields: Fields): string {
  return requireAgentName(fields.text("agentId", "INVALID_AGENT_ID", "system"));
}

function finish(request: TeamRequest, as: "completed" | "failed"): Answered {
  const { service, fields, id } = request;
  const team = teamOf(request);
  const held = { agent: agentIn(fields), epoch: fields.whole("epoch", "INVALID_TASK") };
  return writing(request, team.teamId, (writer) => ok({ task: finishTask(service.world, writer, team, id, held, as) }));
}

function writing({ service, key, asked }: TeamRequest, team: string, work: Parameters<typeof once>[3]): Answered {
  return once(service.world, team, { key, asked }, work);
}
