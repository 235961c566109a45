import { z } from "zod";
import { Delivery, End, Restore, Status, Task, Terminal, Why } from "../shapes.ts";
import {
  id,
  idAndVariables,
  inQuery,
  noControl,
  oneId,
  path,
  rescue,
  terminalName,
  text,
  variables,
  whole,
  yes,
} from "./fields.ts";

export const terminals = {
  ps: {
    input: z.object({ all: yes.optional(), root: path.optional() }),
    output: z.object({
      tasks: z.array(Task),
      terminals: z.array(Terminal),
      lastEvent: z.number(),
      restore: z
        .object({ can: whole, cannot: whole })
        .optional()
        .describe(
          "How many lost programs `restore` could start again; absent if there are none, or if nothing is to be said about it",
        ),
      storage: z.string().optional().describe("What is wrong with the disk, if anything"),
    }),
  },
  explain: {
    input: oneId,
    output: z.object({
      id: z.string(),
      name: z.string(),
      status: Status,
      why: Why,
      keepRunning: z.boolean().optional().describe("It comes back by itself after the tmux server was lost"),
      restore: Restore.optional().describe("Of a lost one"),
      delivery: Delivery.optional().describe("What was given to it last, if its agent takes prompts over HTTP too"),
      witnesses: z.array(
        z.object({
          witness: z.string(),
          says: z.string(),
          at: z.number(),
          used: z.boolean(),
          because: z.string().optional().describe("Why it is believed, or why not"),
        }),
      ),
    }),
  },
  focus: { input: oneId, output: z.object({ told: z.literal(true) }) },
  run: {
    input: z.object({
      argv: z.array(text(100_000)).min(1).max(1_000),
      name: terminalName.optional(),
      cwd: path.min(1).optional(),
      host: noControl(60).optional(),
      env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/), text(100_000)).optional(),
      keep: z.boolean().default(false),
      keep_running: z
        .boolean()
        .default(false)
        .describe("Start it again by itself after the tmux server was lost, as by a reboot"),
      columns: whole.min(2).max(1_000).default(200),
      rows: whole.min(2).max(1_000).default(50),
      variables,
    }),
    output: Terminal,
  },
  read: {
    input: z.object({
      id,
      since: noControl(100).optional().describe("The cursor of an earlier read: only what is new"),
      lines: inQuery(whole.min(1).max(100_000)).optional().describe("Only the last so many lines"),
      all: yes.optional().describe("From the oldest byte that is kept, whatever since and lines say"),
      max_bytes: inQuery(whole.min(1).max(4_194_304))
        .default(65_536)
        .describe("When there is more text, its middle is left out"),
      max_tokens: inQuery(whole.min(1).max(1_000_000)).optional().describe("The same, at about 4 characters per token"),
      pages: yes.optional().describe("Leave nothing out: end where the budget ends, and say has_more"),
      raw: yes.optional().describe("Keep escape sequences"),
      wait: inQuery(z.number().min(0).max(600)).default(0).describe("Seconds to wait until there is something new"),
    }),
    output: z.object({
      output: z.string(),
      cursor: z.string(),
      lines: z.number().int(),
      has_more: z.boolean(),
      missed: z.number().int().describe("Bytes before this that are no longer kept"),
      left_out: z
        .object({ lines: z.number().int(), bytes: z.number().int() })
        .optional()
        .describe("What the budget had no room for; a line in the text says where"),
      state: Status,
    }),
  },
  screen: {
    input: z.object({ id, escapes: yes.optional() }),
    output: z.object({ id: z.string(), lines: z.array(z.string()), columns: z.number(), rows: z.number() }),
  },
  send: {
    input: z.object({
      id,
      text: text(2_097_152).optional(),
      enter: z.boolean().default(true),
      keys: z.array(noControl(30).min(1)).max(100).optional(),
      idempotency_key: noControl(200).min(1).optional(),
      ack: z
        .number()
        .min(0)
        .max(60)
        .default(0)
        .describe(
          "Seconds to wait for a witness that it arrived; 0 returns with the first receipt that says something",
        ),
      force: z.boolean().default(false).describe("Type even over a half-typed draft; never into an open permission"),
      command: z
        .boolean()
        .default(false)
        .describe(
          "The text is a command of the agent, such as /compact; one that runs in a shell needs the scope approve",
        ),
    }),
    output: Delivery,
  },
  attachment_add: {
    input: z.object({
      id,
      name: noControl(1_000).describe("What the file is called; a safe name is made of it"),
      data: z
        .string()
        .max(11_200_000)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, "this is not base64")
        .refine((data) => data.length % 4 === 0, "this is not base64: its length is no multiple of 4")
        .meta({ examples: ["aGVsbG8K"] })
        .describe("The file in base64: a picture, a PDF or text of at most 8 MB"),
    }),
    output: z.object({
      path: z.string().describe("Where the agent finds it, until the task or terminal is removed"),
      type: z.enum(["png", "jpg", "gif", "webp", "pdf", "text"]),
      bytes: z.number().int(),
    }),
  },
  stop: { input: oneId, output: z.object({ id: z.string(), stopped: z.boolean() }) },
  restart: { input: idAndVariables, output: Terminal },
  restore: {
    input: z.object({
      ids: z.array(id).max(1_000).optional().describe("Only these; otherwise everything that is lost"),
      dry_run: z.boolean().default(false).describe("Only report what would be done"),
      variables,
    }),
    output: z.object({
      restored: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          outcome: z.enum(["restored", "would", "runs", "cannot"]),
          as: z.enum(["conversation", "anew"]).optional().describe("Whether its agent resumes its conversation"),
          reason: z.string().optional(),
        }),
      ),
    }),
  },
  keep_running: { input: z.object({ id, on: z.boolean().default(true) }), output: Terminal },
  attach: {
    input: idAndVariables,
    output: z.object({
      argv: z.array(z.string()),
      session: z.string(),
      started: z.boolean(),
      end: End.optional().describe("How the program ended: only its last screen is left to see"),
    }),
  },
  rm: { input: oneId, output: z.object({ removed: z.string(), rescue }) },
  activity: {
    input: z.object({ id: id.optional() }),
    output: z.object({
      minute: z.number().describe("When the last of the counts began"),
      terminals: z.array(
        z.object({
          id: z.string(),
          counts: z.array(z.number().int()).describe("Bursts of output, one number per minute, the last hour"),
          last: z.string().describe("The last line on the screen that says something"),
        }),
      ),
    }),
  },
  recording: {
    input: oneId,
    output: z.object({
      id: z.string(),
      columns: z.number(),
      rows: z.number(),
      parts: z.array(
        z.object({
          epoch: z.string(),
          from: z.number().describe("The first byte that is still kept"),
          to: z.number(),
          times: z.array(z.tuple([z.number(), z.number()])).describe("Byte and millisecond, in order"),
        }),
      ),
    }),
  },
} as const;
