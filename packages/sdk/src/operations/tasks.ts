import { z } from "zod";
import { Task } from "../shapes.ts";
import { id, idAndVariables, inQuery, noControl, oneId, path, rescue, text, variables, whole, yes } from "./fields.ts";

export const tasks = {
  new: {
    input: z.object({
      root: path.min(1),
      text: text(2_097_152).min(1),
      agent: noControl(60).min(1).optional(),
      base: noControl(200).min(1).optional(),
      draft: z.boolean().default(false),
      variables,
    }),
    output: Task,
  },
  edit: {
    input: z.object({
      id,
      text: text(2_097_152).min(1).optional(),
      agent: noControl(60).min(1).optional(),
      base: noControl(200).min(1).optional(),
    }),
    output: Task,
  },
  start: { input: idAndVariables, output: Task },
  complete: { input: oneId, output: Task },
  reset: { input: idAndVariables, output: z.object({ task: Task, rescue }) },
  merge: {
    input: z.object({ id, base: noControl(200).min(1).optional() }),
    output: z.object({ base: z.string(), commits: z.number().int(), head: z.string() }),
  },
  diff: {
    input: z.object({ id, stat: yes.optional() }),
    output: z.object({ base: z.string(), diff: z.string(), truncated: z.boolean() }),
  },
  path: {
    input: oneId,
    output: z.object({ path: z.string(), exists: z.boolean(), env: z.record(z.string(), z.string()) }),
  },
  branch: { input: oneId, output: z.object({ branch: z.string(), base: z.string().optional() }) },
  bootstrap: {
    input: idAndVariables,
    output: z.object({ copied: z.array(z.string()), ran: z.string().optional(), output: z.string() }),
  },
  undo: {
    input: z.object({
      id: whole.optional(),
      end_program: z.boolean().default(false).describe("Also if the task's program runs: it is ended first"),
    }),
    output: z.object({ undone: z.string(), task: Task }),
  },
  undo_look: {
    input: z.object({ id: inQuery(whole).optional() }),
    output: z.object({
      undone: z.enum(["rm", "reset"]),
      task: whole,
      slug: z.string(),
      at: z.number().describe("When that was done"),
      running: z.boolean().describe("Whether a program runs that `undo` would end"),
    }),
  },
} as const;
