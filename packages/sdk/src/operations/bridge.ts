import { z } from "zod";
import { noControl, path, text } from "./fields.ts";

const errorTypes = [
  ...["pane_not_found", "tmux_not_installed", "subprocess_failed", "no_pane_id"],
  ...["timeout", "send_failed", "unknown"],
] as const;

const failure = {
  error_type: z.enum(errorTypes).nullable(),
  error_message: z.string().nullable(),
};

const Sent = z.object({ success: z.boolean(), ...failure, latency_ms: z.number() });

// Any plain text is accepted: an invalid pane id is a result, like every other failure of a pane.
const pane = {
  pane_id: noControl(100)
    .describe("The pane as tmux names it, such as %12")
    .meta({ examples: ["%12"] }),
  socket: path
    .min(1)
    .optional()
    .describe("The socket of its tmux server; needed only if several servers have a pane of this id"),
};

const key = noControl(30).min(1);

/** The tmux bridge of the older dashboard. A failure is a result with its own status 200. */
export const bridge = {
  send_text: { input: z.object({ ...pane, text: text(2_097_152) }), output: Sent },
  send_keys: {
    input: z.object({ ...pane, keys: z.union([key, z.array(key).min(1).max(100)]) }),
    output: Sent,
  },
  health: {
    input: z.object({
      ...pane,
      level: z
        .enum(["exists", "command", "process_tree"])
        .default("command")
        .describe("Where an agent is looked for: nowhere, in the foreground, in any process of the pane"),
    }),
    output: z.object({
      available: z.boolean(),
      running: z.boolean().describe("An agent runs in it"),
      pid: z.number().int().nullable(),
      ...failure,
    }),
  },
} as const;

export type BridgeErrorType = (typeof errorTypes)[number];
