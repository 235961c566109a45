import { type ErrorCode, errorTable, type Output, PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { given } from "../options.ts";

export const paneCommands: readonly Command[] = [
  {
    name: "pane",
    operations: ["send_text", "send_keys", "health"],
    summary: "type into any pane of any tmux by its id, or check that it exists",
    details:
      "With a text, types it and presses Enter; with `--key`, presses keys; with neither, says whether the pane exists and an agent runs in it.",
    page: "http.md#panes-by-their-tmux-id",
    takes: "<pane> [text]",
    options: [
      ["--key <key>", "press a key by tmux's name, such as C-c, Escape, Up", "repeated"],
      ["--socket <path>", "the socket of its tmux server, if several have such a pane"],
    ],
    examples: ["paneward pane %12", 'paneward pane %12 "npm test"', "paneward pane %12 --key C-c"],
    run: pane,
  },
];

async function pane({ client, args, options, out }: Call): Promise<number> {
  const [pane_id = "", text] = args;
  const keys = options.list("key");
  if (text !== undefined && keys.length > 0) {
    throw new PanewardError("bad_input", "give either a text or --key", { hint: "first the text, then the keys" });
  }
  const at = given({ pane_id, socket: options.text("socket") });
  const answer =
    text !== undefined
      ? await client.send_text({ ...at, text })
      : keys.length > 0
        ? await client.send_keys({ ...at, keys: [...keys] })
        : await client.health(at);
  if (options.flag("json")) out.json(answer);
  else if (answer.error_type === null) out.line(`${pane_id}: ${wordsOf(answer)}`);
  else out.note(`paneward: ${answer.error_type}: ${answer.error_message}`);
  return answer.error_type === null ? 0 : errorTable[codes[answer.error_type]].exitCode;
}

function wordsOf(answer: Output<"send_text"> | Output<"health">): string {
  if ("success" in answer) return `sent in ${answer.latency_ms} ms`;
  return answer.running ? "there, an agent runs in it" : "there, no agent runs in it";
}

const codes: Readonly<Record<NonNullable<Output<"health">["error_type"]>, ErrorCode>> = {
  pane_not_found: "not_found",
  no_pane_id: "bad_input",
  tmux_not_installed: "unavailable",
  subprocess_failed: "unavailable",
  timeout: "outcome_unknown",
  send_failed: "wrong_state",
  unknown: "unexpected",
};
