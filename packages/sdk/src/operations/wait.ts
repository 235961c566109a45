import { z } from "zod";
import { Question } from "../shapes.ts";
import { id, text } from "./fields.ts";

const Condition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited") }),
  z.object({ kind: z.literal("needs_input") }),
  z.object({ kind: z.literal("idle") }),
  z.object({ kind: z.literal("output"), pattern: text(500).min(1) }),
]);
export type Condition = Readonly<z.infer<typeof Condition>>;

const Waited = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), id: z.string(), code: z.number().int() }),
  z.object({ kind: z.literal("killed"), id: z.string(), signal: z.number().int() }),
  z.object({ kind: z.literal("stopped"), id: z.string(), by: z.string() }),
  z.object({ kind: z.literal("lost"), id: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("ended"), id: z.string() }),
  z.object({ kind: z.literal("needs_input"), id: z.string(), question: Question.optional() }),
  z.object({ kind: z.literal("idle"), id: z.string() }),
  z.object({ kind: z.literal("output"), id: z.string(), match: z.string() }),
  z.object({ kind: z.literal("timed_out"), resume: z.string() }),
]);
export type Waited = Readonly<z.infer<typeof Waited>>;

export const waiting = {
  wait: {
    input: z.object({
      ids: z.array(id).min(1).max(1_000),
      mode: z.enum(["any", "all"]).default("all"),
      for: z.array(Condition).min(1).max(10),
      timeout: z.number().min(0).max(86_400).default(60),
      resume: text(100_000).optional(),
    }),
    output: z.object({ results: z.array(Waited) }),
  },
} as const;
