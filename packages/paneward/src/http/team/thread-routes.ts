import type { Hono } from "hono";
import { z } from "zod";
import { findThreads, linkThread, postMessage, requireThread, startThread } from "../../runtime/team/conversations.ts";
import { fields } from "./fields.ts";
import { fieldsOf, type TeamEnv, teamOf, written } from "./request.ts";

const newThread = z.object({
  title: fields.threadTitle,
  participants: fields.participants,
  taskId: fields.optionalTaskId,
  agentId: fields.speaker,
});
const newMessage = z.object({ message: fields.message, agentId: fields.speaker });
const link = z.object({ taskId: fields.taskId, agentId: fields.speaker });
const search = z.object({ q: fields.q });
const tail = z.object({ limit: fields.limit });

/** Threads: teamd's contract. */
export function threadRoutes(app: Hono<TeamEnv>): void {
  app.post("/threads", (c) => {
    const { world } = c.get("team").service;
    const team = teamOf(c);
    const { taskId, agentId: by, ...wanted } = fieldsOf(c, newThread, "INVALID_THREAD_MESSAGE");
    const thread = { ...wanted, by, ...(taskId === undefined ? {} : { taskId }) };
    return written(c, team.teamId, (writer) => ({ thread: startThread(world, writer, team, thread) }), { first: 201 });
  });
  app.get("/threads/search", (c) => {
    const { world } = c.get("team").service;
    return c.json({ threads: findThreads(world, teamOf(c).teamId, fieldsOf(c, search).q) });
  });
  app.get("/threads/:id/tail", (c) => {
    const { world } = c.get("team").service;
    const thread = requireThread(world, c.req.param("id"), teamOf(c));
    return c.json({ thread, messages: world.store.team.messages(thread.id, fieldsOf(c, tail).limit) });
  });
  app.post("/threads/:id/messages", (c) => {
    const { world } = c.get("team").service;
    const team = teamOf(c);
    const { message: body, agentId: from } = fieldsOf(c, newMessage);
    const post = { first: 201 } as const;
    return written(
      c,
      team.teamId,
      (writer) => ({ message: postMessage(world, writer, requireThread(world, c.req.param("id"), team), from, body) }),
      post,
    );
  });
  app.post("/threads/:id/link", (c) => {
    const { world } = c.get("team").service;
    const team = teamOf(c);
    const { taskId, agentId: by } = fieldsOf(c, link);
    return written(c, team.teamId, (writer) => ({
      thread: linkThread(world, writer, team, requireThread(world, c.req.param("id"), team), taskId, by),
    }));
  });
}
