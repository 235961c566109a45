import type { Output } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { type CapabilityAction, capabilityActionNames, capabilityActions } from "@paneward/sdk/reference";
import { z } from "zod";
import { wrongInput } from "./input.ts";
import { withProgressReports } from "./report-progress.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { action: anyAction, text, params } = operations.capability.input.shape;
const defaultWaitSeconds = capabilityActions.wait.parameters.timeout.default;
const example = { action: "send", params: { pane: "0.0", command: "npm test" } };

/** The capability `tmux` as one tool: a whole session with windows and panes. */
export const tmuxTool: Tool = tool({
  name: "tmux",
  operations: ["capability"],
  kind: "types",
  description: `One shared tmux session with windows and panes, for work side by side. Panes are addressed window.pane, as in 0.1. Actions with params (! = required): ${signatures()}.`,
  input: z.object({
    // Announced as an enum but parsed as a string: the daemon suggests the nearest action.
    action: anyAction.meta({ enum: capabilityActionNames }),
    params,
    text: text.describe("Instead: <capability> tags"),
  }),
  output: z.object({ results: z.array(z.looseObject({ success: z.boolean() })) }),
  example,
  takesMore: true,
  async run({ action, params: inside = {}, text: tags, ...beside }, call) {
    if ((action === undefined) === (tags === undefined))
      throw wrongInput("tmux", "give either action or text", example);
    const given = merged(inside, beside as Params);
    const input = action === undefined ? { text: tags } : { action, params: given };
    const run = () => call.client.capability(input, call);
    const seconds = action === "wait" ? Number(given.timeout) || defaultWaitSeconds : 0;
    const { results } = seconds > 0 ? await withProgressReports(call, "waiting", seconds, run) : await run();
    const failed = results.some(({ success }) => !success);
    return {
      data: { results },
      text: results.map(textOf).join("\n"),
      ...(failed ? { failed } : { next: nextAfter(action, given, results[0]) }),
    };
  },
});

type Params = NonNullable<z.output<typeof params>>;

/** Models also write parameters beside the action, as they are in a tag. */
function merged(inside: Params, beside: Params): Params {
  const twice = Object.keys(beside).find((name) => Object.hasOwn(inside, name));
  if (twice === undefined) return { ...beside, ...inside };
  throw wrongInput("tmux", `${twice} is given twice: in params and beside action`, example);
}

/** Every action with its parameters, such as `send(pane, command!, clear)`. */
function signatures(): string {
  return Object.entries<CapabilityAction>(capabilityActions)
    .map(([action, { parameters }]) => {
      const names = Object.entries(parameters).map(([name, { required }]) => (required ? `${name}!` : name));
      return names.length === 0 ? action : `${action}(${names.join(", ")})`;
    })
    .join(", ");
}

type Result = Output<"capability">["results"][number];

function textOf(result: Result): string {
  return result.success ? JSON.stringify(result.data) : `${result.error}\nHint: ${result.suggestion}`;
}

/** Stays on the same pane and host. A wait that timed out is repeated. */
function nextAfter(
  action: string | undefined,
  given: Readonly<Record<string, unknown>>,
  result: Result | undefined,
): string | undefined {
  const host = given.host === undefined ? {} : { host: given.host };
  const data: Readonly<Record<string, unknown>> = result?.success ? result.data : {};
  const target = { pane: data.pane ?? given.pane ?? "0.0", ...host };
  const isLate = data.reason === "timeout";
  if (action === "send") return callOf("tmux", { action: "wait", params: target });
  if (action === "wait" && isLate) return callOf("tmux", { action, params: given });
  if (action === "wait") return callOf("tmux", { action: "read", params: { ...target, since: true } });
  if (action === "read" || action === "list") return undefined;
  return callOf("tmux", { action: "list", ...(given.host === undefined ? {} : { params: host }) });
}
