import type { Hono } from "hono";
import { z } from "zod";
import { findThreads, linkThread, postMessage, requireThread, startThread } from "../../runtime/team/conversations.ts";
import { fields } from "./fields.ts";
import { fieldsOf, type TeamEnv, teamOf, writeOnce } from "./request.ts";

const newThread = z.object({
  title: fields.threadTitle,
  participants: fields.participants,
  taskId: fields.optionalTaskId,
  agentId: fields.speaker,
});
const newMessage = z.object({
  message: fields.message,
  agentId: fields.speaker,
  except: fields.except,
  quiet: fields.flag,
});
const link = z.object({ taskId: fields.taskId, agentId: fields.speaker });
const search = z.object({ q: fields.q });
const tail = z.object({ limit: fields.limit });

/** Threads: teamd's contract. */
export function threadRoutes(app: Hono<TeamEnv>): void {
  app.post("/threads", (c) => {
    const { ports } = c.get("team").service;
    const team = teamOf(c);
    const { taskId, agentId: by, ...wanted } = fieldsOf(c, newThread, "INVALID_THREAD_MESSAGE");
    const thread = { ...wanted, by, ...(taskId === undefined ? {} : { taskId }) };
    return writeOnce(c, team.teamId, (writer) => ({ thread: startThread(ports, writer, team, thread) }), {
      first: 201,
    });
  });
  app.get("/threads/search", (c) => {
    const { ports } = c.get("team").service;
    return c.json({ threads: findThreads(ports, teamOf(c).teamId, fieldsOf(c, search).q) });
  });
  app.get("/threads/:id/tail", (c) => {
    const { ports } = c.get("team").service;
    const thread = requireThread(ports, c.req.param("id"), teamOf(c));
    return c.json({ thread, messages: ports.store.team.messages(thread.id, fieldsOf(c, tail).limit) });
  });
  app.post("/threads/:id/messages", (c) => {
    const { ports } = c.get("team").service;
    const team = teamOf(c);
    const { message: body, agentId: from, ...rest } = fieldsOf(c, newMessage);
    const post = { first: 201 } as const;
    return writeOnce(
      c,
      team.teamId,
      (writer) => {
        const thread = requireThread(ports, c.req.param("id"), team);
        return { message: postMessage(ports, writer, thread, from, body, rest) };
      },
      post,
    );
  });
  app.post("/threads/:id/link", (c) => {
    const { ports } = c.get("team").service;
    const team = teamOf(c);
    const { taskId, agentId: by } = fieldsOf(c, link);
    return writeOnce(c, team.teamId, (writer) => ({
      thread: linkThread(ports, writer, team, requireThread(ports, c.req.param("id"), team), taskId, by),
    }));
  });
}
