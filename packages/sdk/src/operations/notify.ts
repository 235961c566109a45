import { z } from "zod";
import { noticeKinds, textLevels } from "../notice-kinds.ts";
import { id, inQuery, noControl, whole } from "./fields.ts";

const kind = z.enum(Object.keys(noticeKinds) as [keyof typeof noticeKinds]);

const sendStates = ["queued", "handed", "sent", "delivered", "failed", "unknown", "withdrawn"] as const;

/** What became of a notice on one channel. */
const NoticeSend = z
  .object({
    channel: z.string(),
    state: z.enum(sendStates),
    reason: z.string().optional().describe("Why it failed, or is tried again, or was withdrawn"),
    attempts: z.number().int(),
    at: z.number().describe("When it came into this state"),
  })
  .meta({ id: "NoticeSend" });

/** Something to tell a person, and what became of it. */
const Notice = z
  .object({
    id: z.string(),
    kind,
    title: z.string(),
    task: z.number().int().optional(),
    terminal: z.string().optional(),
    question: z.string().optional(),
    at: z.number().describe("When it began"),
    state: z.enum(["waiting", "told", "over"]),
    why: z.string().describe("Why it is sent, not yet sent, or was never sent"),
    digest: z.string().optional().describe("The notice that combines this one with others"),
    sends: z.array(NoticeSend),
  })
  .meta({ id: "Notice" });

export const notify = {
  notify_list: {
    input: z.object({}),
    output: z.object({
      channels: z.array(
        z.object({
          name: z.string(),
          kind: z.string(),
          text: z.enum(textLevels),
          buttons: z.boolean().describe("Whether its buttons can answer"),
          rules: z.array(z.string()).describe("What it sends, in words"),
          state: z.enum(["ready", "failing", "unused"]),
          detail: z.string(),
          at: z.number().optional().describe("When it was used last"),
        }),
      ),
      problems: z.array(z.string()).describe("What is wrong with the configuration"),
    }),
  },
  notify_history: {
    input: z.object({ limit: inQuery(whole.min(1).max(1_000)).default(50) }),
    output: z.object({ notices: z.array(Notice) }),
  },
  notify_test: {
    input: z.object({ id: id.describe("The name of a channel") }),
    output: z.object({
      channel: z.string(),
      outcome: z.enum(["sent", "delivered", "failed", "unknown"]),
      said: z.string().describe("What came back"),
    }),
  },
  presence: {
    input: z.object({
      viewer: noControl(80).min(1).describe("A name of the client's own, the same for each call"),
      sees: z
        .array(id)
        .max(1_000)
        .optional()
        .describe("Ids of tasks or terminals that a person has before the eyes; absent: all of them"),
      seconds: z.number().min(0).max(300).default(60).describe("How long this holds; 0 ends it"),
    }),
    output: z.object({ noted: z.literal(true) }),
  },
} as const;
