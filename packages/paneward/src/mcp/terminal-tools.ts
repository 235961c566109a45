import type { Output } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { idOrNumber } from "./input.ts";
import { withProgressReports } from "./report-progress.ts";
import { aliveAndRecent, isAlive, TerminalSummary, terminalSummary } from "./summaries.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { run, read, send, stop, restore } = operations;

const oneTerminal = idOrNumber(read.input.shape.id).describe("Terminal id or name, or task id or slug");

const start = tool({
  name: "terminal_start",
  operations: ["run"],
  kind: "starts",
  description:
    "Run a program in its own terminal, where it outlives you: servers, long builds, interactive programs. Returns its id at once.",
  input: run.input.pick({ name: true, host: true, env: true }).extend({
    argv: run.input.shape.argv.describe('Program and arguments; no shell. For pipes: ["sh","-c","a | b"]'),
    cwd: run.input.shape.cwd.describe("Absolute folder"),
  }),
  output: TerminalSummary,
  example: { argv: ["npm", "run", "dev"], name: "dev", cwd: "/home/me/app" },
  async run(input, { client, folder, signal }) {
    const place = input.cwd === undefined && input.host === undefined && folder !== undefined ? { cwd: folder } : {};
    const terminal = await client.run({ ...runDefaults, ...input, ...place }, { signal });
    const { id, name, cwd } = terminal;
    return {
      data: terminalSummary(terminal),
      text: `${id} (${name}) runs in ${cwd}.`,
      next: callOf("terminal_wait", { ids: [id], for: [{ kind: "exited" }, { kind: "needs_input" }] }),
    };
  },
});

const list = tool({
  name: "terminal_list",
  operations: ["ps"],
  kind: "looks",
  description: "Terminals with status, why and command: alive ones and the last ended.",
  input: z.object({ all: z.boolean().default(false).describe("Include long ended ones") }),
  output: z.object({ terminals: z.array(z.looseObject({ id: z.string(), status: z.string() })) }),
  example: { all: true },
  async run({ all }, { client, signal }) {
    const { terminals } = await client.ps({ all }, { signal });
    const listed = aliveAndRecent(terminals, all ? terminals.length : maxEnded);
    const [first] = listed;
    const lines = listed.map(({ id, name, status, why }) => `${id} ${name}: ${status}, ${why.rule}`);
    return {
      data: { terminals: listed.map(terminalSummary) },
      text: lines.length === 0 ? "No terminals." : lines.join("\n"),
      next: first ? callOf("terminal_read", { id: first.id }) : callOf("terminal_start", { argv: ["npm", "test"] }),
    };
  },
});

const reading = tool({
  name: "terminal_read",
  operations: ["read"],
  kind: "looks",
  description:
    "What a terminal printed, as plain text. Pass the previous cursor to get only new output. Also works after its end.",
  input: z.object({
    id: oneTerminal,
    cursor: read.input.shape.since.describe("Only output after it"),
    lines: read.input.shape.lines.describe("Last N lines; 100 without cursor"),
    wait: read.input.shape.wait.describe("Seconds to wait if there is nothing new"),
    budget: read.input.shape.max_tokens
      .unwrap()
      .default(4_000)
      .describe("Max tokens; the middle of longer text is cut out"),
    all: z.boolean().default(false).describe("From the oldest byte still kept"),
  }),
  output: read.output.pick({ output: true, cursor: true, has_more: true, state: true }),
  example: { id: "t1", lines: 50, wait: 20 },
  async run({ id, cursor, lines, wait, budget, all }, call) {
    const maxLines = lines ?? (cursor === undefined && !all ? defaultLines : undefined);
    const input = { id, since: cursor, lines: maxLines, wait, max_bytes, max_tokens: budget, all };
    const reading = () => call.client.read(input, call);
    const answer =
      wait > 0 ? await withProgressReports(call, `waiting for output of ${id}`, wait, reading) : await reading();
    return { data: answer, text: `${answer.output}${readNote(answer)}`, next: nextRead(id, answer) };
  },
});

const sending = tool({
  name: "terminal_send",
  operations: ["send"],
  kind: "types",
  description:
    "Type text (and Enter) or press keys such as Up, C-c, Escape. Look at the screen first if it may be asking.",
  input: send.input.extend({
    id: oneTerminal,
    keys: send.input.shape.keys.describe("tmux key names, after the text"),
    idempotency_key: send.input.shape.idempotency_key.describe("Makes a retry harmless"),
    command: send.input.shape.command.describe("An agent's /command"),
    ack: send.input.shape.ack.describe("Seconds to wait for a witness that it arrived"),
    force: send.input.shape.force.describe("Type even over a draft, never into a permission"),
  }),
  output: z.object({
    ...{ id: z.string(), terminal: z.string(), state: z.string() },
    ...{ reason: z.string().optional(), release: z.string().optional(), changed: z.string().optional() },
  }),
  example: { id: "t1", text: "npm test" },
  async run(input, { client, signal }) {
    const { id, terminal, state, reason, release, changed, repeated, way } = await client.send(input, { signal });
    const why = reason === undefined ? "" : `: ${reason}`;
    const until = release === undefined ? "" : `; it continues when ${release}`;
    const how = changed === undefined ? "" : `; ${changed}`;
    return {
      data: {
        ...{ id, terminal, state },
        ...(reason === undefined ? {} : { reason }),
        ...(release === undefined ? {} : { release }),
        ...(changed === undefined ? {} : { changed }),
      },
      text: `Delivery to ${terminal} is ${state}${way === "http" ? " over HTTP" : ""}${why}${until}${how}${repeated ? " (this key was used before; nothing was typed again)" : ""}.`,
      next: callOf("terminal_read", { id: terminal, lines: 20, wait: 5 }),
    };
  },
});

const screen = tool({
  name: "terminal_screen",
  operations: ["screen"],
  kind: "looks",
  description: "The screen as a person sees it: for full-screen programs, menus and questions.",
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
    const text = answer.stopped ? `${answer.id} stopped.` : `${answer.id} had already ended.`;
    return { data: answer, text, next: callOf("terminal_read", { id: answer.id, lines: 50 }) };
  },
});

const restoring = tool({
  name: "terminal_restore",
  operations: ["restore"],
  kind: "starts",
  description: "Start Lost programs again, as after a reboot; agents resume their conversations. Nothing starts twice.",
  input: restore.input
    .pick({ dry_run: true })
    .extend({ ids: restore.input.shape.ids.describe("Only these; else all") }),
  output: z.object({ restored: z.array(z.looseObject({ id: z.string(), outcome: z.string() })) }),
  example: { ids: ["t1"] },
  async run(input, { client, signal }) {
    const { restored } = await client.restore(input, { signal });
    const lines = restored.map(({ id, name, outcome, as, reason }) => {
      const how = as === undefined ? "" : as === "conversation" ? ", with its conversation" : ", anew";
      return `${id} ${name}: ${outcome}${how}${reason === undefined ? "" : `, ${reason}`}`;
    });
    const text = lines.length === 0 ? "Nothing is lost." : lines.join("\n");
    return { data: { restored }, text, next: callOf("terminal_list", {}) };
  },
});

export const terminalTools: readonly Tool[] = [start, list, reading, sending, screen, stopping, restoring];

const runDefaults = run.input.pick({ keep: true, keep_running: true, columns: true, rows: true }).parse({});
const { max_bytes } = read.input.pick({ max_bytes: true }).parse({});
const maxEnded = 20;
const anyNews = [{ kind: "exited" }, { kind: "needs_input" }, { kind: "idle" }];
const defaultLines = 100;

function readNote({ output, cursor, missed, has_more, state }: Output<"read">): string {
  const gap = output === "" || output.endsWith("\n") ? "" : "\n";
  const lost = missed > 0 ? `; ${missed} bytes before this are no longer kept` : "";
  return `${gap}[${state}${output === "" ? ", nothing new" : ""}; cursor ${cursor}${has_more ? "; there is more" : ""}${lost}]`;
}

function nextRead(id: string, { cursor, has_more, state }: Output<"read">): string | undefined {
  if (has_more) return callOf("terminal_read", { id, cursor });
  return isAlive(state) ? callOf("terminal_read", { id, cursor, wait: 20 }) : undefined;
}
