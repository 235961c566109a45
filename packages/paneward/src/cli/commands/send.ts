import { type Delivery, errorTable, PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { given, requireOne } from "../options.ts";
import { readStdin } from "../prompt.ts";

export const sendCommands: readonly Command[] = [
  {
    name: "send",
    operations: ["send"],
    summary: "type text or press keys in a terminal; prints the receipt",
    details:
      "Deliveries to one terminal are typed in order. Several lines are pasted at once. An agent gets the text as a text: what it would run, obey or attach files to is refused, unless `--command` says so. The receipt shows the state: `typed`, `submitted`, `acknowledged` or `failed`; `held` while something blocks it. With `--ack`, exit code 5 means that no witness saw it in that time.",
    page: "answering.md",
    takes: "<id> [text]",
    completes: "ids",
    options: [
      ["--no-enter", "do not press Enter after the text"],
      ["--key <key>", "press a key by tmux's name, such as C-c, Escape, Up", "repeated"],
      ["--idempotency-key <key>", "the same key is delivered only once"],
      ["--ack <seconds>", "wait this long for a witness to confirm that it arrived"],
      ["--command", "the text is a command of the agent, such as /compact or !ls"],
      ["--force", "type even after a half-typed draft; never into an open permission dialog"],
    ],
    examples: [
      'paneward send 12 "yes, and add a test"',
      "git diff | paneward send 12 - --ack 10",
      "paneward send t3 --key C-c",
      "paneward send 12 --command /compact",
      "paneward send t3 -- --help    # a text that begins with a dash",
    ],
    run: send,
  },
  {
    name: "respond",
    operations: ["respond"],
    summary: "answer the open question with a text or an option's number",
    details:
      "An answer counts once; one to a question that has changed is refused. A permission takes an option, `yes`, `no`, or `--deny` with words for the agent; other words are refused. Where Paneward cannot prove that the whole command is shown, it is only allowed with `--read-screen`, which prints the terminal's screen and asks, so it needs a terminal. Denying never does.",
    page: "answering.md",
    takes: "<id> [text]",
    completes: "ids",
    options: [
      ["--option <number>", "the option's number, as on the screen; 0 denies any permission"],
      ["--deny <text>", "deny a permission, with these words for the agent"],
      ["--question <id>", "only if this is the open question"],
      ["--read-screen", "print the screen, ask whether it was read, then answer"],
      ["--idempotency-key <key>", "the same key is answered only once"],
    ],
    examples: [
      "paneward respond 12 --option 1",
      'paneward respond 12 "use the other branch"',
      'paneward respond 12 --deny "not on the main branch"',
    ],
    run: respond,
  },
  {
    name: "interrupt",
    operations: ["interrupt"],
    summary: "end an agent's turn; it stays ready for the next prompt",
    details: "Returns once the agent has stopped working.",
    page: "answering.md",
    takes: "<id>",
    completes: "ids",
    examples: ["paneward interrupt 12"],
    run: interrupt,
  },
];

async function interrupt({ client, args, options, out }: Call): Promise<number> {
  const [id = ""] = args;
  const answer = await client.interrupt({ id });
  if (options.flag("json")) out.json(answer);
  else out.line(`${id}: ${answer.interrupted ? "turn ended" : "was not working, nothing to interrupt"}`);
  return 0;
}

async function respond(call: Call): Promise<number> {
  const { client, args, options, out } = call;
  const [id = "", typed] = args;
  const option = options.number("option");
  const deny = options.text("deny");
  if (typed === undefined && option === undefined && deny === undefined) {
    throw new PanewardError("bad_input", "no answer given", { hint: "give a text, - for stdin, --option or --deny" });
  }
  requireOne({ "the text": typed !== undefined, "--option": option !== undefined, "--deny": deny !== undefined });
  if (deny?.trim() === "") {
    throw new PanewardError("bad_input", "--deny needs words for the agent", {
      hint: `without words: \`paneward respond ${id} --option 0\``,
    });
  }
  const read = options.flag("readScreen")
    ? await (await import("../read-screen.ts")).readScreen(call, id)
    : { question: options.text("question") };
  if (!read) return errorTable.wrong_state.exitCode;
  const answer = await client.respond(
    given({
      id,
      text: typed === "-" ? await readStdin() : typed,
      option,
      deny,
      ...read,
      idempotency_key: options.text("idempotencyKey"),
    }),
  );
  if (options.flag("json")) out.json(answer);
  else if (answer.status === "queued") out.line(`${id}: held; it is typed once nothing is in the way`);
  else out.line(`${id}: answered`);
  return 0;
}

async function send({ client, args, options, out }: Call): Promise<number> {
  const [id = "", typed] = args;
  const keys = options.list("key");
  if (typed === undefined && keys.length === 0) {
    throw new PanewardError("bad_input", "nothing to send", { hint: "give a text, - for stdin, or --key" });
  }
  if (typed === undefined && options.flag("command")) {
    throw new PanewardError("bad_input", "--command needs a text, and there are only keys", {
      hint: `leave it out, or give the command: \`paneward send ${id} --command /compact\``,
    });
  }
  const text = typed === "-" ? await readStdin() : typed;
  const ack = options.number("ack");
  const receipt = await client.send(
    given({
      id,
      text,
      enter: text !== undefined && options.flag("enter"),
      keys: keys.length === 0 ? undefined : [...keys],
      idempotency_key: options.text("idempotencyKey"),
      ack,
      force: options.flag("force") || undefined,
      command: options.flag("command") || undefined,
    }),
  );
  if (options.flag("json")) out.json(receipt);
  else out.line(textOf(receipt));
  return exitCodeOf(receipt, ack !== undefined && ack > 0);
}

function textOf({ id, terminal, state, reason, changed, repeated }: Delivery): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  const how = changed === undefined ? "" : `; ${changed}`;
  return `${id} to ${terminal}: ${state}${why}${how}${repeated ? ", already sent before" : ""}`;
}

/** Scripts must see from the exit code that delivery failed or is unconfirmed. */
function exitCodeOf({ state }: Delivery, wantsAck: boolean): number {
  if (state === "failed") return errorTable.unexpected.exitCode;
  return wantsAck && state !== "acknowledged" ? errorTable.outcome_unknown.exitCode : 0;
}
