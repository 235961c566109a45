import { z } from "zod";
import { inQuery, noControl, path, whole } from "./fields.ts";

export const daemon = {
  ping: {
    input: z.object({
      wait: inQuery(z.number().min(0).max(600))
        .default(0)
        .describe("Seconds after which it is answered: to see whether something in between cuts requests that wait"),
    }),
    output: z.object({
      pong: z.literal(true),
      version: z.string(),
      pid: z.number(),
      startedAt: z.number(),
      lastEvent: z.number(),
    }),
  },
  shutdown: { input: z.object({}), output: z.object({ stopping: z.literal(true), pid: z.number() }) },
  doctor: {
    input: z.object({}),
    output: z.object({
      checks: z.array(
        z.object({
          name: z.string(),
          ok: z.boolean(),
          missing: z.literal(true).optional().describe("Not there, and not needed"),
          detail: z.string(),
          hint: z.string().optional(),
        }),
      ),
    }),
  },
  config: {
    input: z.object({ root: path.optional() }),
    output: z.object({
      config: z.record(z.string(), z.unknown()),
      agents: z.array(z.string()).describe("What a new task may name: built-in agents, then the configuration's own"),
      files: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
  },
  hosts: {
    input: z.object({}),
    output: z.object({
      hosts: z.array(
        z.object({
          name: z.string(),
          prefix: z.array(z.string()),
          state: z.string(),
          transport: z.string(),
          reason: z.string().optional(),
          socket: z.string(),
          tmux: z.string().optional(),
          latency_ms: z.number().optional().describe("One question to tmux and its answer"),
        }),
      ),
    }),
  },
  sessions: {
    input: z.object({}),
    output: z.object({
      sessions: z.array(
        z.object({
          name: z.string(),
          session: z.string(),
          windows: z.number(),
          attached: z.number(),
          createdAt: z.number(),
          task: z.number().optional(),
          terminal: z.string().optional(),
        }),
      ),
    }),
  },
  refresh: {
    input: z.object({ reason: noControl(200).default("asked for") }),
    output: z.object({ told: z.literal(true) }),
  },
  events: {
    input: z.object({
      after: inQuery(whole.min(0)).default(0),
      limit: inQuery(whole.min(1).max(10_000)).default(1_000),
      types: noControl(2_000).optional(),
    }),
    output: z.object({
      events: z.array(z.object({ seq: z.number(), at: z.number(), type: z.string(), data: z.unknown() })),
      last: z.number().describe("The number to continue after"),
      more: z.boolean().describe("There are events after `last`"),
      gap: z.object({ type: z.literal("gap"), after: z.number(), before: z.number() }).optional(),
    }),
  },
} as const;
