import { type Delivery, errorTable, PanewardError } from "@paneward/sdk";
import { textOfStdin } from "../asking.ts";
import type { Call, Command } from "../command.ts";
import { given } from "../options.ts";

export const sendCommands: readonly Command[] = [
  {
    name: "send",
    operations: ["send"],
    summary: "type text or press keys in a terminal; prints the receipt",
    takes: "<id> [text]",
    completes: "ids",
    options: [
      ["--no-enter", "do not press Enter after the text"],
      ["--key <key>", "press a key by tmux's name, such as C-c, Escape, Up", "repeated"],
      ["--idempotency-key <key>", "the same key is delivered only once"],
      ["--ack <seconds>", "wait until a witness saw that it arrived"],
    ],
    examples: [
      'paneward send 12 "yes, and add a test"',
      "git diff | paneward send 12 - --ack 10",
      "paneward send t3 --key C-c",
      "paneward send t3 -- --help    # a text that begins with a dash",
    ],
    run: send,
  },
];

async function send({ client, args, options, out }: Call): Promise<number> {
  const [id = "", typed] = args;
  const keys = options.list("key");
  if (typed === undefined && keys.length === 0) {
    throw new PanewardError("bad_input", "there is nothing to send", { hint: "give a text, - for stdin, or --key" });
  }
  const text = typed === "-" ? await textOfStdin() : typed;
  const ack = options.number("ack");
  const receipt = await client.send(
    given({
      id,
      text,
      enter: text !== undefined && options.flag("enter"),
      keys: keys.length === 0 ? undefined : [...keys],
      idempotency_key: options.text("idempotencyKey"),
      ack,
    }),
  );
  if (options.flag("json")) out.json(receipt);
  else out.line(wordsOf(receipt));
  return exitCodeOf(receipt, ack !== undefined && ack > 0);
}

function wordsOf({ id, terminal, state, reason, repeated }: Delivery): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  return `${id} to ${terminal}: ${state}${why}${repeated ? ", it had been sent before" : ""}`;
}

/** A receipt is an answer, but a script has to see that nothing arrived or that nobody knows. */
function exitCodeOf({ state }: Delivery, wantsAck: boolean): number {
  if (state === "failed") return errorTable.unexpected.exitCode;
  return wantsAck && state !== "acknowledged" ? errorTable.outcome_unknown.exitCode : 0;
}
