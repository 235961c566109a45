import { z } from "zod";
import { Team, TeamTask, TeamWorker, Thread, ThreadMessage } from "../team-shapes.ts";
import { asAgent, id, inQuery, noControl, path, teamName, whole, words } from "./fields.ts";

export const teams = {
  teams: { input: z.object({}), output: z.object({ teams: z.array(Team) }) },
  team_open: {
    input: z.object({
      team: teamName.default("default"),
      root: path.min(1).optional().describe("The folder that relative resources mean"),
      agent: teamName.optional().describe("The agent that opens the team; it becomes the leader if there is none"),
    }),
    output: z.object({
      teamId: z.string(),
      url: z.string().optional().describe("Absent when there is no HTTP on loopback"),
      token: z.string().describe("Opens this team's /v1 and nothing else; changes when the daemon starts"),
      pid: z.number(),
      schemaVersion: z.string(),
      socket: z.string(),
      runtimePath: z.string(),
    }),
  },
  team_tasks: { input: z.object({ team: teamName.optional() }), output: z.object({ tasks: z.array(TeamTask) }) },
  team_workers: { input: z.object({ team: teamName.optional() }), output: z.object({ workers: z.array(TeamWorker) }) },
  threads: {
    input: z.object({
      team: teamName.optional(),
      q: noControl(200).optional().describe("Only those with this in title, task, participants or messages"),
    }),
    output: z.object({ threads: z.array(Thread) }),
  },
  thread_start: {
    input: z.object({
      team: teamName.default("default"),
      title: noControl(200).min(1).default("Thread"),
      participants: z.array(teamName).max(100).default([]),
      text: words.optional().describe("The first message"),
      as: asAgent,
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: Thread,
  },
  thread_read: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(200)).default(20) }),
    output: z.object({ thread: Thread, messages: z.array(ThreadMessage) }),
  },
  thread_post: {
    input: z.object({
      id,
      text: words,
      as: asAgent,
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: ThreadMessage,
  },
} as const;
