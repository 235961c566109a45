import { z } from "zod";
import { End, Question } from "./shapes.ts";
import { teamSchemaVersion } from "./team-names.ts";

/** The shapes of a team. Names and times follow teamd's contract, which other software reads. */

const schemaVersion = z.literal(teamSchemaVersion);
const moment = z.string().describe("ISO 8601");

export const TeamAgent = z
  .object({ id: z.string(), role: z.string(), model: z.string().optional() })
  .meta({ id: "TeamAgent" });
export type TeamAgent = Readonly<z.infer<typeof TeamAgent>>;

export const Team = z
  .object({
    schemaVersion,
    teamId: z.string(),
    agents: z.array(TeamAgent),
    /** The folder that relative resources of its tasks refer to. */
    root: z.string().optional(),
    createdAt: moment,
  })
  .meta({ id: "Team" });
export type Team = Readonly<z.infer<typeof Team>>;

/** Which agent may work on a team task, and until when. The epoch increases with every claim and is never reused. */
export const Lease = z.object({ holder: z.string(), epoch: z.number().int(), expiresAt: moment }).meta({ id: "Lease" });
export type Lease = Readonly<z.infer<typeof Lease>>;

const teamTaskStatuses = ["blocked", "pending", "in_progress", "completed", "failed", "canceled"] as const;

/** An entry on a team's board. */
export const TeamTask = z
  .object({
    schemaVersion,
    id: z.string(),
    teamId: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.enum(teamTaskStatuses),
    owner: z.string().nullable(),
    deps: z.array(z.string()),
    /** Paths that only the lease holder may write, each with everything below it. */
    resources: z.array(z.string()),
    lease: Lease.nullable(),
    epoch: z.number().int(),
    timestamps: z.object({
      createdAt: moment,
      startedAt: moment.nullable(),
      completedAt: moment.nullable(),
      failedAt: moment.nullable(),
    }),
  })
  .meta({ id: "TeamTask" });
export type TeamTask = Readonly<z.infer<typeof TeamTask>>;

/** A durable conversation for hand-off between agents and people. */
export const Thread = z
  .object({
    schemaVersion,
    id: z.string(),
    teamId: z.string(),
    title: z.string(),
    participants: z.array(z.string()),
    taskId: z.string().nullable(),
    startedBy: z.string(),
    createdAt: moment,
    lastMessageAt: moment.nullable(),
    messages: z.number().int(),
  })
  .meta({ id: "Thread" });
export type Thread = Readonly<z.infer<typeof Thread>>;

export const ThreadMessage = z
  .object({ schemaVersion, id: z.string(), threadId: z.string(), from: z.string(), body: z.string(), ts: moment })
  .meta({ id: "ThreadMessage" });
export type ThreadMessage = Readonly<z.infer<typeof ThreadMessage>>;

const workerStates = ["working", "asking", "silent", "ended"] as const;

/** A worker of a team: an agent in a tmux session that the team's leader started. */
export const TeamWorker = z
  .object({
    teamId: z.string(),
    session: z.string(),
    agentId: z.string(),
    /** The agent that started it and gets its notices. */
    leader: z.string(),
    threadId: z.string().nullable(),
    socket: z.string(),
    cwd: z.string(),
    /** The id of its terminal: `read`, `screen` and `send` take it. */
    terminal: z.string(),
    state: z.enum(workerStates),
    since: z.number(),
    question: Question.optional(),
    end: End.optional(),
    startedAt: z.number(),
  })
  .meta({ id: "TeamWorker" });
export type TeamWorker = Readonly<z.infer<typeof TeamWorker>>;

/** One notice for one agent. Only the daemon writes them. */
export interface InboxEvent {
  readonly schemaVersion: typeof teamSchemaVersion;
  readonly id: string;
  readonly cursor: number;
  readonly type: "thread_message" | "task_claimed" | "task_completed" | "task_failed" | "worker_news";
  readonly teamId: string;
  readonly agentId: string;
  readonly taskId?: string;
  readonly threadId?: string;
  readonly actor?: string;
  /** The first 120 characters of a message. */
  readonly summary?: string;
  /** It shall start no turn: it is read when the agent has one anyway. */
  readonly quiet?: true;
  readonly ts: string;
}
