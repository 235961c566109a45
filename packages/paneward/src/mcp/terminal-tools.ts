import type { Output } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { orNumber } from "./input.ts";
import { isAlive, TerminalShown, terminalShown, worthListing } from "./shown.ts";
import { whileTelling } from "./telling.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { run, read, send, stop } = operations;

/** Names one terminal, or the task that runs in it. */
const oneTerminal = orNumber(read.input.shape.id).describe("Terminal id or name, or task id or slug");

const start = tool({
  name: "terminal_start",
  operations: ["run"],
  kind: "starts",
  description:
    "Run a program in a terminal of its own that goes on without you: servers, watchers, long builds, interactive programs. Answers at once with its id.",
  input: run.input.pick({ name: true, host: true, env: true }).extend({
    argv: run.input.shape.argv.describe('Program and arguments; no shell. For pipes: ["sh","-c","a | b"]'),
    cwd: run.input.shape.cwd.describe("Absolute folder"),
  }),
  output: TerminalShown,
  example: { argv: ["npm", "run", "dev"], name: "dev", cwd: "/home/me/app" },
  async run(input, { client, folder, signal }) {
    const place = input.cwd === undefined && input.host === undefined && folder !== undefined ? { cwd: folder } : {};
    const terminal = await client.run({ ...place, ...withoutUndefined(input) }, { signal });
    const { id, name, cwd } = terminal;
    return {
      data: terminalShown(terminal),
      text: `${id} (${name}) runs in ${cwd}.`,
      next: callOf("terminal_wait", { ids: [id], for: [{ kind: "exited" }, { kind: "needs_input" }] }),
    };
  },
});

const list = tool({
  name: "terminal_list",
  operations: ["ps"],
  kind: "looks",
  description: "Terminals with status, why, command and end: the living ones and the last that ended.",
  input: z.object({ all: z.boolean().default(false).describe("Also everything that ended long ago") }),
  output: z.object({ terminals: z.array(z.looseObject({ id: z.string(), status: z.string() })) }),
  example: { all: true },
  async run({ all }, { client, signal }) {
    const { terminals } = await client.ps(all ? { all: "true" } : {}, { signal });
    const listed = worthListing(terminals, all ? terminals.length : lastEnded);
    const [first] = listed;
    const lines = listed.map(({ id, name, status, why }) => `${id} ${name}: ${status}, ${why.rule}`);
    return {
      data: { terminals: listed.map(terminalShown) },
      text: lines.length === 0 ? "There are no terminals." : lines.join("\n"),
      next: first ? callOf("terminal_read", { id: first.id }) : callOf("terminal_start", { argv: ["npm", "test"] }),
    };
  },
});

const reading = tool({
  name: "terminal_read",
  operations: ["read"],
  kind: "looks",
  description:
    "What a terminal printed, as plain text. Pass the cursor of the answer before to get only what is new. Works after the program ended.",
  input: z.object({
    id: oneTerminal,
    cursor: read.input.shape.since.describe("Only what came after it"),
    lines: read.input.shape.lines.describe("At most the last N lines; 100 without cursor"),
    wait: read.input.shape.wait.describe("Seconds to wait if there is nothing new"),
    budget: read.input.shape.max_tokens.unwrap().default(4_000).describe("Tokens; the middle of more is left out"),
    all: z.boolean().default(false).describe("From the oldest byte that is kept"),
  }),
  output: read.output.pick({ output: true, cursor: true, has_more: true, state: true }),
  example: { id: "t1", lines: 50, wait: 20 },
  async run({ id, cursor, lines, wait, budget, all }, call) {
    const most = lines ?? (cursor === undefined && !all ? firstLines : undefined);
    const part = { ...(cursor === undefined ? {} : { since: cursor }), ...(most === undefined ? {} : { lines: most }) };
    const asked = { id, ...part, wait, max_tokens: budget, ...(all ? { all: "true" } : {}) };
    const reading = () => call.client.read(asked, call);
    const answer = wait > 0 ? await whileTelling(call, `waiting for output of ${id}`, wait, reading) : await reading();
    return { data: answer, text: `${answer.output}${remarkOf(answer)}`, next: nextRead(id, answer) };
  },
});

const sending = tool({
  name: "terminal_send",
  operations: ["send"],
  kind: "types",
  description:
    "Type text (and Enter) or press keys such as Up, C-c, Escape. Look at the screen first if the program may be asking something.",
  input: send.input.extend({
    id: oneTerminal,
    keys: send.input.shape.keys.describe("tmux key names, pressed after the text"),
    idempotency_key: send.input.shape.idempotency_key.describe("Makes a repeated call harmless"),
  }),
  output: z.object({ id: z.string(), terminal: z.string(), state: z.string(), reason: z.string().optional() }),
  example: { id: "t1", text: "npm test" },
  async run(input, { client, signal }) {
    const { id, terminal, state, reason, repeated } = await client.send(withoutUndefined(input), { signal });
    const why = reason === undefined ? "" : `: ${reason}`;
    return {
      data: { id, terminal, state, ...(reason === undefined ? {} : { reason }) },
      text: `Delivery to ${terminal} is ${state}${why}${repeated ? " (this key was used before; nothing was typed again)" : ""}.`,
      next: callOf("terminal_read", { id: terminal, lines: 20, wait: 5 }),
    };
  },
});

const screen = tool({
  name: "terminal_screen",
  operations: ["screen"],
  kind: "looks",
  description: "The screen as a person sees it now: for full-screen programs, menus and questions.",
  input: z.object({ id: oneTerminal }),
  output: z.object({ id: z.string(), screen: z.string(), columns: z.number(), rows: z.number() }),
  example: { id: "t1" },
  async run({ id }, { client, signal }) {
    const answer = await client.screen({ id }, { signal });
    const text = answer.lines.join("\n").trimEnd();
    const { columns, rows } = answer;
    return {
      data: { id: answer.id, screen: text, columns, rows },
      text: text === "" ? "The screen is empty." : text,
      next: callOf("terminal_wait", { ids: [id], for: anyNews }),
    };
  },
});

const stopping = tool({
  name: "terminal_stop",
  operations: ["stop"],
  kind: "ends",
  description: "End the program. What it printed stays readable.",
  input: stop.input.extend({ id: oneTerminal }),
  output: stop.output,
  example: { id: "t1" },
  async run({ id }, { client, signal }) {
    const answer = await client.stop({ id }, { signal });
    const text = answer.stopped ? `${answer.id} is stopped.` : `${answer.id} had ended before.`;
    return { data: answer, text, next: callOf("terminal_read", { id: answer.id, lines: 50 }) };
  },
});

export const terminalTools: readonly Tool[] = [start, list, reading, sending, screen, stopping];

const lastEnded = 20;
const anyNews = [{ kind: "exited" }, { kind: "needs_input" }, { kind: "idle" }];
const firstLines = 100;

function remarkOf({ output, cursor, missed, has_more, state }: Output<"read">): string {
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  const lost = missed > 0 ? `; ${missed} bytes before this are no longer kept` : "";
  return `${gap}[${state}${output === "" ? ", nothing new" : ""}; cursor ${cursor}${has_more ? "; there is more" : ""}${lost}]`;
}

function nextRead(id: string, { cursor, has_more, state }: Output<"read">): string | undefined {
  if (has_more) return callOf("terminal_read", { id, cursor });
  return isAlive(state) ? callOf("terminal_read", { id, cursor, wait: 20 }) : undefined;
}

/** An input without the fields that were not given, as the operations want it. */
function withoutUndefined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
