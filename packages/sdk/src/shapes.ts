import { z } from "zod";

/** The shapes that operations and events share. */

const statuses = ["Draft", "Stopped", "Running", "Idle", "Waiting", "Exited", "Completed", "Lost"] as const;
export const Status = z.enum(statuses);
export type Status = z.infer<typeof Status>;

/** Why something has its status: who says so, by which rule, since when. */
export const Why = z
  .object({ source: z.string(), rule: z.string(), since: z.number(), evidence: z.string().optional() })
  .meta({ id: "Why" });
export type Why = Readonly<z.infer<typeof Why>>;

/** How a terminal's program ended. These are different things, and none of them is idle. */
export const End = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("exited"), code: z.number().int() }),
    z.object({ kind: z.literal("killed"), signal: z.number().int() }),
    z.object({ kind: z.literal("stopped"), by: z.string() }),
    z.object({ kind: z.literal("lost"), reason: z.string() }),
    z.object({ kind: z.literal("unknown") }),
  ])
  .meta({ id: "End" });
export type End = Readonly<z.infer<typeof End>>;

export const Terminal = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    task: z.number().int().optional(),
    argv: z.array(z.string()),
    cwd: z.string(),
    session: z.string(),
    pane: z.string().optional(),
    pid: z.number().int().optional(),
    status: Status,
    why: Why,
    end: End.optional(),
    createdAt: z.number(),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    lastOutputAt: z.number().optional(),
  })
  .meta({ id: "Terminal" });
export type Terminal = Readonly<z.infer<typeof Terminal>>;

export const WorkAmount = z
  .object({ added: z.number().int(), removed: z.number().int(), ahead: z.number().int() })
  .meta({ id: "WorkAmount", description: "Uncommitted lines, and commits ahead of the base" });
export type WorkAmount = Readonly<z.infer<typeof WorkAmount>>;

export const Task = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    root: z.string(),
    text: z.string(),
    agent: z.string(),
    base: z.string().optional(),
    branch: z.string(),
    worktree: z.string(),
    terminal: z.string().optional(),
    session: z.string(),
    status: Status,
    why: Why,
    end: End.optional(),
    work: WorkAmount.optional(),
    createdAt: z.number(),
    startedAt: z.number().optional(),
  })
  .meta({ id: "Task" });
export type Task = Readonly<z.infer<typeof Task>>;

export const Delivery = z
  .object({
    id: z.string(),
    terminal: z.string(),
    state: z.enum(["queued", "held", "typed", "submitted", "acknowledged", "failed"]),
    reason: z.string().optional(),
    createdAt: z.number(),
    updatedAt: z.number(),
    repeated: z.boolean().optional(),
  })
  .meta({ id: "Delivery" });
export type Delivery = Readonly<z.infer<typeof Delivery>>;
