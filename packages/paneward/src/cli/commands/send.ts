import { randomUUID } from "node:crypto";
import { type Delivery, errorTable, heldExitCode, PanewardError } from "@paneward/sdk";
import { awaitDelivery, isBlocked } from "../await-delivery.ts";
import type { Call, Command } from "../command.ts";
import { given, requireOne } from "../options.ts";
import { readStdin } from "../prompt.ts";
import { receiptWords } from "../receipt-words.ts";

export const sendCommands: readonly Command[] = [
  {
    name: "send",
    operations: ["send", "attachment_add"],
    summary: "type text or press keys in a terminal; prints the receipt",
    details:
      "Deliveries to one terminal are typed in order. Several lines are pasted at once. An agent gets the text as a text: what it would run, obey or attach files to is refused, unless `--command` says so. The command returns when a witness saw the program take it (`acknowledged`), when half a minute passed without one (`unknown`, exit code 5), or when something blocks it (`held`, exit code 10; it is typed later). A text that is refused has exit code 2. After two seconds it says on stderr what it waits for.",
    page: "answering.md",
    takes: "<id> [text]",
    completes: "ids",
    options: [
      ["--no-enter", "do not press Enter after the text"],
      [
        "--attach <file>",
        "keep a copy of a picture, PDF or text for the agent, and put its path behind the text",
        "repeated",
      ],
      ["--key <key>", "press a key by tmux's name, such as C-c, Escape, Up", "repeated"],
      ["--idempotency-key <key>", "the same key is delivered only once"],
      ["--timeout <seconds>", "wait this long, also while it is held; 0 returns with the first receipt"],
      ["--command", "the text is a command of the agent, such as /compact or !ls"],
      ["--force", "type even after a half-typed draft; never into an open permission dialog"],
    ],
    examples: [
      'paneward send 12 "yes, and add a test"',
      "git diff | paneward send 12 - --timeout 600    # also waits while it is held",
      'paneward send 12 "it looks like this:" --attach screenshot.png',
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
  const attached = options.list("attach");
  if (typed === undefined && attached.length > 0) {
    throw new PanewardError("bad_input", "--attach needs a text that says what the file is for", {
      hint: `\`paneward send ${id} "it looks like this:" --attach FILE\``,
    });
  }
  if (typed === undefined && keys.length === 0) {
    throw new PanewardError("bad_input", "nothing to send", { hint: "give a text, - for stdin, or --key" });
  }
  if (typed === undefined && options.flag("command")) {
    throw new PanewardError("bad_input", "--command needs a text, and there are only keys", {
      hint: `leave it out, or give the command: \`paneward send ${id} --command /compact\``,
    });
  }
  const said = typed === "-" ? await readStdin() : typed;
  const text = attached.length === 0 ? said : await withAttached(client, id, said ?? "", attached);
  const timeout = options.number("timeout");
  const key = options.text("idempotencyKey");
  const submits = text !== undefined && options.flag("enter") && keys.length === 0;
  const wish = given({
    id,
    text,
    enter: text !== undefined && options.flag("enter"),
    keys: keys.length === 0 ? undefined : [...keys],
    // Asking again for the receipt must not send it again.
    idempotency_key: key ?? randomUUID(),
    force: options.flag("force") || undefined,
    command: options.flag("command") || undefined,
  });
  const calls: Delivery[] = [];
  const last = await awaitDelivery({
    async send(ack) {
      const receipt = await client.send({ ...wish, ...(ack > 0 && { ack: Math.min(60, ack) }) });
      calls.push(receipt);
      return receipt;
    },
    now: () => process.uptime() * 1_000,
    note: out.note,
    timeoutMs: timeout === undefined ? undefined : timeout * 1_000,
    submits,
  });
  const { repeated: _again, ...receipt } = last;
  const shown = calls[0]?.repeated ? { ...receipt, repeated: true } : receipt;
  if (options.flag("json")) out.json(shown);
  else out.line(textOf(shown));
  return exitCodeOf(shown, submits);
}

async function withAttached(
  client: Call["client"],
  id: string,
  text: string,
  files: readonly string[],
): Promise<string> {
  const { attach } = await import("../attach.ts");
  return [text, ...(await attach(client, id, files))].join(" ");
}

function textOf(receipt: Delivery): string {
  const { id, terminal, release, changed, repeated } = receipt;
  const until = release === undefined ? "" : `; it continues when ${release}`;
  const how = changed === undefined ? "" : `; ${changed}`;
  return `${id} to ${terminal}: ${receiptWords(receipt)}${until}${how}${repeated ? ", already sent before" : ""}`;
}

/** The exit code shows scripts what became of it. */
function exitCodeOf(receipt: Delivery, submits: boolean): number {
  if (receipt.state === "failed") return errorTable.unexpected.exitCode;
  if (receipt.state === "acknowledged") return 0;
  if (isBlocked(receipt)) return heldExitCode;
  return submits || receipt.state === "unknown" || receipt.state === "queued" ? errorTable.outcome_unknown.exitCode : 0;
}
