import type { Hono } from "hono";
import { z } from "zod";
import { canWrite, claimTask, createTask, finishTask, renewTask, requireTask } from "../../runtime/team/board.ts";
import { readInbox } from "../../runtime/team/inbox.ts";
import { joinTeam, openTeam, requireTeam } from "../../runtime/team/members.ts";
import { fields } from "./fields.ts";
import { fieldsOf, requireTokenFor, type TeamContext, type TeamEnv, teamNamed, teamOf, writeOnce } from "./request.ts";

const { agentId, ttlMs, epoch } = fields;
const newTeam = z.object({ teamId: fields.teamId, agents: fields.agents });
const newTask = z.object({
  title: fields.title,
  description: fields.description,
  deps: fields.deps,
  resources: fields.resources,
  agentId: fields.speaker,
});
const claim = z.object({ agentId, ttlMs });
const held = z.object({ agentId, epoch });
const inbox = z.object({ agentId, since: fields.since, wait: fields.wait });
const wantedWrite = z.object({ agentId, path: fields.path, action: fields.action });

/** Teams, their boards and inboxes: teamd's contract. */
export function boardRoutes(app: Hono<TeamEnv>): void {
  app.get("/teams", (c) => {
    const { service, tokenTeam } = c.get("team");
    const teams = service.ports.store.team.teams();
    return c.json({ teams: teams.filter(({ teamId }) => tokenTeam === undefined || teamId === tokenTeam) });
  });
  app.post("/teams", async (c) => {
    const { service, tokenTeam } = c.get("team");
    const { teamId = tokenTeam ?? "default", agents } = fieldsOf(c, newTeam);
    requireTokenFor(c, teamId);
    const wanted = {
      agents: agents.map(({ model, ...rest }) => ({ ...rest, ...(model === undefined ? {} : { model }) })),
    };
    const answer = writeOnce(c, teamId, (writer) => ({ team: openTeam(service.ports, writer, teamId, wanted) }), {
      first: 201,
    });
    await service.files.open(requireTeam(service.ports, teamId));
    return answer;
  });
  app.get("/teams/:id", (c) => c.json({ team: teamNamed(c, c.req.param("id")) }));
  app.get("/tasks", (c) => c.json({ tasks: portsOf(c).store.team.tasks(teamOf(c).teamId) }));
  app.get("/tasks/:id", (c) => c.json({ task: requireTask(portsOf(c), teamOf(c), c.req.param("id")) }));
  app.post("/tasks", (c) => {
    const team = teamOf(c);
    const { agentId: by, ...wanted } = fieldsOf(c, newTask);
    const create = { first: 201, repeated: 200 } as const;
    return writeOnce(c, team.teamId, (writer) => ({ task: createTask(portsOf(c), writer, team, wanted, by) }), create);
  });
  app.post("/tasks/:id/claim", (c) => {
    const team = teamOf(c);
    const by = fieldsOf(c, claim);
    const lease = { agent: by.agentId, ...(by.ttlMs === undefined ? {} : { ttlMs: by.ttlMs }) };
    return writeOnce(c, team.teamId, (writer) => claimTask(portsOf(c), writer, team, c.req.param("id"), lease));
  });
  app.post("/tasks/:id/renew", (c) => {
    const team = teamOf(c);
    const by = fieldsOf(c, held.extend({ ttlMs }));
    const holding = { agent: by.agentId, epoch: by.epoch };
    return writeOnce(c, team.teamId, (writer) =>
      renewTask(portsOf(c), writer, team, c.req.param("id"), holding, by.ttlMs),
    );
  });
  for (const [path, as] of [
    ["complete", "completed"],
    ["fail", "failed"],
  ] as const) {
    app.post(`/tasks/:id/${path}`, (c) => {
      const team = teamOf(c);
      const by = fieldsOf(c, held);
      const holding = { agent: by.agentId, epoch: by.epoch };
      return writeOnce(c, team.teamId, (writer) => ({
        task: finishTask(portsOf(c), writer, team, c.req.param("id") ?? "", holding, as),
      }));
    });
  }
  app.get("/inbox", async (c) => {
    const ports = portsOf(c);
    const team = teamOf(c);
    const { agentId: agent, since, wait } = fieldsOf(c, inbox);
    ports.store.write((writer) => joinTeam(ports, writer, team, agent, "worker"));
    const from = since === "seen" ? since : Number(since);
    const request = { team: team.teamId, agent, since: from, limit: 1_000, waitMs: wait * 1_000 } as const;
    return c.json(await readInbox(ports, request, c.req.raw.signal));
  });
  app.get("/can-write", (c) => {
    const { agentId: agent, path, action } = fieldsOf(c, wantedWrite);
    return c.json(canWrite(portsOf(c), teamOf(c), { agent, path, action }));
  });
}

function portsOf(c: TeamContext) {
  return c.get("team").service.ports;
}
