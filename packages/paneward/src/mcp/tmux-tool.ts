import { type CapabilityAction, capabilityActionNames, capabilityActions, type Output } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { wrongInput } from "./input.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { text, params } = operations.capability.input.shape;
const example = { action: "send", params: { pane: "0.0", command: "npm test" } };

/** The capability `tmux` as one tool: a whole session with windows and panes, driven like a person would. */
export const tmuxTool: Tool = tool({
  name: "tmux",
  operations: ["capability"],
  kind: "types",
  description: `One shared tmux session with windows and panes, for work you want to see side by side. Panes are addressed window.pane, as in 0.1. Actions with params (! = required): ${signatures()}.`,
  input: z.object({
    // Not an enum when it is read: the daemon knows which action was meant.
    action: z.string().optional().meta({ enum: capabilityActionNames }),
    params,
    text: text.describe("Instead: <capability> tags, such as a suggestion"),
  }),
  output: z.object({ results: z.array(z.looseObject({ success: z.boolean() })) }),
  example,
  async run({ action, params: given = {}, text: tags }, { client, signal }) {
    if ((action === undefined) === (tags === undefined))
      throw wrongInput("tmux", "give either action or text", example);
    const asked = {
      ...(action === undefined ? {} : { action, params: given }),
      ...(tags === undefined ? {} : { text: tags }),
    };
    const { results } = await client.capability(asked, { signal });
    const failed = results.some(({ success }) => !success);
    return {
      data: { results },
      text: results.map(wordsOf).join("\n"),
      ...(failed ? { failed } : { next: nextAfter(action, given) }),
    };
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

function wordsOf(result: Output<"capability">["results"][number]): string {
  return result.success ? JSON.stringify(result.data) : `${result.error}\nHint: ${result.suggestion}`;
}

function nextAfter(
  action: string | undefined,
  { pane = "0.0" }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (action === "send") return callOf("tmux", { action: "wait", params: { pane } });
  if (action === "wait") return callOf("tmux", { action: "read", params: { pane, since: true } });
  return action === "read" || action === "list" ? undefined : callOf("tmux", { action: "list" });
}
