import type { Output, Status } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { given } from "../options.ts";

export const outputCommands: readonly Command[] = [
  {
    name: "read",
    operations: ["read"],
    summary: "new output since a cursor, as plain text",
    details:
      "Escape sequences are removed, and redrawn lines appear once, as they looked last: a progress bar is one line. Pass the `cursor` of one answer as `--since` of the next. `missed` counts bytes that are no longer kept.",
    page: "reading.md",
    takes: "<id>",
    completes: "ids",
    options: [
      ["--since <cursor>", "only what came after this cursor"],
      ["--lines <n>", "only the last N lines"],
      ["--all", "from the oldest byte still kept"],
      ["--max-bytes <n>", "cut out the middle of longer text"],
      ["--max-tokens <n>", "the same, at about 4 characters per token"],
      ["--raw", "keep escape sequences"],
      ["--wait <seconds>", "wait for output if there is none"],
    ],
    examples: [
      "paneward read 12 --lines 50",
      "paneward read 12 --all --max-tokens 2000",
      "paneward read t3 --since CURSOR --wait 30 --json",
    ],
    run: read,
  },
  {
    name: "logs",
    operations: ["read"],
    summary: "everything that a terminal printed",
    takes: "<id>",
    completes: "ids",
    options: [
      ["-f, --follow", "keep printing until the program ends"],
      ["-n, --lines <n>", "start with the last N lines"],
    ],
    examples: ["paneward logs 12", "paneward logs t3 -f -n 20"],
    run: logs,
  },
  {
    name: "screen",
    operations: ["screen"],
    summary: "the current screen, rendered",
    details:
      "Also works after the program has ended, as long as its session exists. The session in which models work is `artie`, its panes are `artie:0.1` and the like.",
    takes: "<id>",
    completes: "ids",
    options: [["--escapes", "with colours, as escape sequences"]],
    examples: ["paneward screen 12", "paneward screen t3 --escapes"],
    run: screen,
  },
];

async function read({ client, args, options, out, connection }: Call): Promise<undefined> {
  const [id = ""] = args;
  const input = {
    id,
    since: options.text("since"),
    lines: options.number("lines"),
    all: yes(options.flag("all")),
    max_bytes: options.number("maxBytes"),
    max_tokens: options.number("maxTokens"),
    raw: yes(options.flag("raw")),
  };
  let left = options.number("wait") ?? 0;
  let answer: Output<"read">;
  do {
    const wait = Math.min(left, maxReadSeconds, connection.maxWaitSeconds);
    left -= wait;
    answer = await client.read(given({ ...input, wait }));
  } while (left > 0 && answer.output === "" && !hasEnded(answer.state));
  if (options.flag("json")) return void out.json(answer);
  noteMissed(out, answer);
  if (options.flag("raw")) out.raw(answer.output);
  else out.content(answer.output);
  if (!out.isTerminal) return;
  if (answer.output !== "" && !answer.output.endsWith("\n")) out.line("");
  const more = answer.has_more ? "; there is more" : "";
  out.note(out.paint("dim", `${answer.state}, continue with --since ${answer.cursor}${more}`));
}

async function logs({ client, args, options, out, connection, progress }: Call): Promise<undefined> {
  const [id = ""] = args;
  const following = options.flag("follow");
  const wait = following ? Math.min(maxReadSeconds, connection.maxWaitSeconds) : 0;
  const lines = options.number("lines");
  const pages = yes(lines === undefined);
  let answer = await client.read(given({ id, lines, pages, max_bytes: maxReadBytes }));
  if (following) progress.silence();
  for (;;) {
    if (options.flag("json")) out.json(answer);
    else {
      noteMissed(out, answer);
      out.content(answer.output);
    }
    if (!answer.has_more && (!following || hasEnded(answer.state))) return;
    const since = answer.cursor;
    answer = await client.read({
      id,
      since,
      pages: "true",
      max_bytes: maxReadBytes,
      wait: answer.has_more ? 0 : wait,
    });
  }
}

function yes(flag: boolean): "true" | undefined {
  return flag ? "true" : undefined;
}

const maxReadSeconds = 600;
const maxReadBytes = 4_194_304;

function hasEnded(status: Status): boolean {
  return status !== "Running" && status !== "Idle" && status !== "Waiting";
}

function noteMissed({ note }: Call["out"], { missed }: Output<"read">): void {
  if (missed > 0) note(`paneward: ${missed} bytes before this are no longer kept`);
}

async function screen({ client, args, options, out }: Call): Promise<undefined> {
  const [id = ""] = args;
  const answer = await client.screen(given({ id, escapes: yes(options.flag("escapes")) }));
  if (options.flag("json")) return void out.json(answer);
  const last = answer.lines.findLastIndex((line) => line.trim() !== "");
  const lines = answer.lines.slice(0, last + 1);
  if (options.flag("escapes")) out.raw(lines.map((line) => `${line}\n`).join(""));
  else for (const line of lines) out.line(line);
}
