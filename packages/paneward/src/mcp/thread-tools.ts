import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { callOf, type Tool, tool } from "./tool.ts";

const { thread_start: start, thread_post: posting, thread_read: read } = operations;

const post = tool({
  name: "thread_post",
  operations: ["thread_post", "thread_start"],
  kind: "starts",
  description: "Post to agents and people in a persistent thread; without thread, starts one.",
  input: z.object({
    text: posting.input.shape.text,
    thread: posting.input.shape.id.optional(),
    title: start.input.shape.title.describe("Of a new thread"),
    team: start.input.shape.team,
    as: start.input.shape.as.describe("Name to speak by"),
  }),
  output: z.object({ thread: z.string() }),
  example: { thread: "thread-0001", text: "The tests pass now." },
  async run({ text, thread, title, team, as }, { client, signal }) {
    const id = thread ?? (await client.thread_start({ title, team, participants: [], as }, { signal })).id;
    await client.thread_post({ id, text, as }, { signal });
    return { data: { thread: id }, text: `Posted to ${id}.`, next: callOf("thread_read", { thread: id }) };
  },
});

const reading = tool({
  name: "thread_read",
  operations: ["thread_read", "threads"],
  kind: "looks",
  description: "The last messages of a thread; without thread, the list of threads.",
  input: z.object({
    thread: read.input.shape.id.optional(),
    q: operations.threads.input.shape.q.describe("Only threads with this text"),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.object({ threads: z.array(z.looseObject({})).optional(), messages: z.array(z.looseObject({})).optional() }),
  example: { thread: "thread-0001" },
  async run({ thread, q, limit }, { client, signal }) {
    if (thread !== undefined) {
      const { messages } = await client.thread_read({ id: thread, limit }, { signal });
      const shown = messages.map(({ from, ts, body }) => ({ from, ts, body }));
      const text = shown.map(({ from, body }) => `${from}: ${body}`).join("\n");
      return {
        data: { messages: shown },
        text: text === "" ? "No messages." : text,
        next: callOf("thread_post", { thread, text: "…" }),
      };
    }
    const { threads } = await client.threads({ q }, { signal });
    const shown = threads.slice(0, limit).map(({ id, title, messages, teamId }) => ({ id, title, messages, teamId }));
    const text = shown.map(({ id, title, messages }) => `${id} ${title} (${messages})`).join("\n");
    return {
      data: { threads: shown },
      text: text === "" ? "No threads." : text,
      next: shown[0] ? callOf("thread_read", { thread: shown[0].id }) : callOf("thread_post", { text: "…" }),
    };
  },
});

export const threadTools: readonly Tool[] = [post, reading];
