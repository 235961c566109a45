import { Type } from "typebox";
import type { PiTool } from "../pi/api.ts";
import type { TeamContext } from "./context.ts";
import { tool } from "./tool.ts";

const threadId = Type.String({ description: "such as thread-0001" });

/** Threads carry results and questions. Participants are notified of messages by others. */
export function threadTools({ teamd }: TeamContext): readonly PiTool[] {
  const at = (thread: string, what: string) => `/v1/threads/${encodeURIComponent(thread)}/${what}`;
  return [
    tool(
      "team_threads_start",
      "Start a thread with other agents of the team.",
      {
        title: Type.String({ minLength: 1, maxLength: 200 }),
        participants: Type.Optional(Type.Array(Type.String(), { description: "agents to notify of messages" })),
        taskId: Type.Optional(Type.String()),
      },
      (params, { id }) => teamd.post("/v1/threads", params, { key: id }),
    ),
    tool(
      "team_threads_post",
      "Post to a thread. Report results and ask questions this way.",
      { threadId, message: Type.String({ minLength: 1 }) },
      ({ threadId: thread, message }, { id }) => teamd.post(at(thread, "messages"), { message }, { key: id }),
    ),
    tool(
      "team_threads_read_tail",
      "The last messages of a thread.",
      { threadId, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: "default 5" })) },
      ({ threadId: thread, limit = 5 }) => teamd.get(at(thread, "tail"), { limit }),
    ),
    tool(
      "team_threads_search",
      "Search threads by title, task, participants and messages.",
      { query: Type.String() },
      ({ query }) => teamd.get("/v1/threads/search", { q: query }),
    ),
    tool(
      "team_threads_link_to_task",
      "Link a thread to a task.",
      { threadId, taskId: Type.String() },
      ({ threadId: thread, taskId }, { id }) => teamd.post(at(thread, "link"), { taskId }, { key: id }),
    ),
  ];
}
