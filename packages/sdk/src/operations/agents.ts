import { z } from "zod";
import { scopes } from "../scopes.ts";
import { Agent, Delivery, Question, Turn } from "../shapes.ts";
import { id, inQuery, noControl, oneId, path, text, whole, yes } from "./fields.ts";

export const agents = {
  agents: { input: z.object({ all: yes.optional() }), output: z.object({ agents: z.array(Agent) }) },
  agent: { input: oneId, output: Agent },
  turns: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(1_000)).default(200) }),
    output: z.object({ turns: z.array(Turn) }),
  },
  questions: { input: z.object({}), output: z.object({ questions: z.array(Question) }) },
  question: {
    input: oneId,
    output: z.object({
      question: Question,
      name: z.string().describe("The task or terminal that asks"),
      turns: z.array(Turn).describe("The last words before it"),
      last_event: z.number().describe("It is shown as of this event"),
      scope: z.enum(scopes).describe("What this caller may do: answering needs approve"),
    }),
  },
  deliveries: {
    input: z.object({ id, limit: inQuery(whole.min(1).max(1_000)).default(50) }),
    output: z.object({ deliveries: z.array(Delivery) }),
  },
  adopt: {
    input: z.object({
      pane: z
        .string()
        .regex(/^%\d+$/, "a pane is named as tmux does: %12")
        .meta({ examples: ["%12"] }),
      socket: path
        .min(1)
        .optional()
        .describe("The socket of your tmux server; absent: the one that plain tmux reaches"),
      agent: noControl(60).min(1).optional().describe("The kind of agent, by the same name as for a task"),
    }),
    output: Agent,
  },
  respond: {
    input: z.object({
      id,
      text: text(2_097_152).optional(),
      option: whole
        .min(0)
        .max(1_000)
        .optional()
        .describe("The number of an option as shown on the screen; 0 denies any permission"),
      deny: text(2_097_152).optional().describe("Deny a permission, with these words for the agent; may be empty"),
      question: noControl(100)
        .optional()
        .describe("The id of the question to answer; refused when another question is open"),
      shown: noControl(100)
        .optional()
        .describe("The hash of the question as it was shown; refused when anything of it has changed since"),
      seen_screen: noControl(100)
        .optional()
        .describe(
          "Given by a person who has read the terminal's screen: the question's `screenHash`. Needed, with `question`, to allow what is not proved whole",
        ),
      mode: z.enum(["text", "select", "other", "multi_select"]).optional(),
      option_index: whole.min(0).max(1_000).optional().describe("Counted from 0, as the older dashboard does"),
      option_label: text(2_000).optional(),
      answers: z
        .array(
          z.object({
            option_index: whole.min(0).optional(),
            option_indices: z.array(whole.min(0)).max(100).optional(),
          }),
        )
        .max(20)
        .optional(),
      idempotency_key: noControl(200).min(1).optional(),
    }),
    output: z.object({
      status: z.enum(["ok", "queued"]).describe("queued: the courier holds it; the receipt has the outcome"),
      agent_id: z.string(),
      mode: z.string(),
      new_state: z.enum(["processing", "awaiting_input"]),
      latency_ms: z.number(),
      delivery_id: z.string(),
      turn_id: z.string().optional(),
      repeated: z.boolean().optional().describe("The idempotency key was used before; this is the result of that call"),
    }),
  },
  interrupt: {
    input: oneId,
    output: z.object({
      id: z.string(),
      interrupted: z.boolean().describe("false: the agent was not working"),
      by: z.enum(["http", "keys"]).optional().describe("How the interrupt was sent"),
    }),
  },
  availability: {
    input: oneId,
    output: z.object({ status: z.literal("ok"), agent_id: z.string(), commander_available: z.boolean() }),
  },
} as const;
