import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { wrongInput } from "./input.ts";
import { tool } from "./tool.ts";

const { send_text: sendText, send_keys: sendKeys, health } = operations;
const example = { action: "send_text", pane_id: "%12", text: "npm test" };

/** The bridge of the older dashboard as one tool. */
export const bridgeTool = tool({
  name: "pane_bridge",
  operations: ["send_text", "send_keys", "health"],
  kind: "types",
  description: "Any tmux pane by id: type text and Enter, press keys, check that it exists and whether an agent runs.",
  input: z.object({
    action: z.enum(["send_text", "send_keys", "health"]),
    pane_id: sendText.input.shape.pane_id.describe("As in %12"),
    text: sendText.input.shape.text.optional(),
    keys: sendKeys.input.shape.keys.optional(),
    socket: sendText.input.shape.socket.describe("If several tmux servers have it"),
  }),
  output: z.looseObject({ error_type: z.string().nullable() }),
  example,
  async run({ action, text, keys, ...pane }, { client, signal }) {
    const options = { signal };
    if (action === "health") return checked(await client.health({ ...pane, level: "command" }, options));
    if (action === "send_keys") {
      if (keys === undefined)
        throw wrongInput("pane_bridge", "send_keys needs keys", { ...example, action, keys: "C-c" });
      return sent(await client.send_keys({ ...pane, keys }, options));
    }
    if (text === undefined) throw wrongInput("pane_bridge", "send_text needs text", example);
    return sent(await client.send_text({ ...pane, text }, options));
  },
});

function sent(data: z.output<typeof sendText.output>) {
  return data.success ? { data, text: "Sent." } : failed(data);
}

function checked(data: z.output<typeof health.output>) {
  if (data.error_type !== null) return failed(data);
  return { data, text: data.running ? "It exists, and an agent runs in it." : "It exists; no agent runs in it." };
}

function failed(data: { readonly error_type: string | null; readonly error_message: string | null }) {
  return { data, text: `${data.error_type}: ${data.error_message}`, failed: true } as const;
}
