import { type CapabilityAction, capabilityActionNames, capabilityActions } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { callOf, type Tool, tool } from "./tool.ts";

const { params } = operations.capability.input.shape;

/** The capability `tmux` as one tool: a whole session with windows and panes, driven like a person would. */
export const tmuxTool: Tool = tool({
  name: "tmux",
  operations: ["capability"],
  kind: "types",
  description: `One shared tmux session with windows and panes, for work you want to see side by side. Panes are addressed window.pane, as in 0.1. Actions with params (! = required): ${signatures()}.`,
  input: z.object({ action: z.enum(capabilityActionNames), params }),
  output: z.object({ success: z.boolean(), data: z.looseObject({}).optional() }),
  example: { action: "send", params: { pane: "0.0", command: "npm test" } },
  async run({ action, params: given = {} }, { client, signal }) {
    const { results } = await client.capability({ action, params: given }, { signal });
    const [result] = results;
    if (!result?.success) {
      const { error = "nothing was answered", suggestion = "" } = result ?? {};
      return { failed: true, data: { success: false, error, suggestion }, text: `${error}\nHint: ${suggestion}` };
    }
    return { data: result, text: JSON.stringify(result.data), next: nextAfter(action, given) };
  },
});

/** Every action in a few words, such as `send(pane, command!, clear)`. */
function signatures(): string {
  return Object.entries<CapabilityAction>(capabilityActions)
    .map(([action, { parameters }]) => {
      const names = Object.entries(parameters).map(([name, { required }]) => (required ? `${name}!` : name));
      return names.length === 0 ? action : `${action}(${names.join(", ")})`;
    })
    .join(", ");
}

function nextAfter(action: string, { pane = "0.0" }: Readonly<Record<string, unknown>>): string | undefined {
  if (action === "send") return callOf("tmux", { action: "wait", params: { pane } });
  if (action === "wait") return callOf("tmux", { action: "read", params: { pane, since: true } });
  return action === "read" || action === "list" ? undefined : callOf("tmux", { action: "list" });
}
