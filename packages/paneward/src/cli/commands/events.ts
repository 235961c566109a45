import type { FollowedEvent } from "@paneward/sdk";
import { cutTo, momentOf, oneLine } from "@paneward/sdk/text";
import { eventWords } from "@paneward/sdk/view";
import type { Call, Command } from "../command.ts";
import { given } from "../options.ts";

export const eventCommands: readonly Command[] = [
  {
    name: "events",
    operations: ["events"],
    summary: "the numbered log of events",
    details: "Prints one sentence per event; `--json` prints types and data.",
    page: "events.md",
    options: [
      ["--after <seq>", "only events after this number"],
      ["-f, --follow", "keep printing new events until Ctrl-C"],
      ["--type <type>", "only events of this type", "repeated"],
      ["--limit <n>", "at most N events"],
    ],
    examples: [
      "paneward events --after 120",
      "paneward events --follow --type task_exited --type task_status_changed",
      "paneward events --follow --json | jq .type",
    ],
    run: events,
  },
];

function events(call: Call): Promise<undefined> {
  return call.options.flag("follow") ? follow(call) : list(call);
}

async function list({ client, options, out }: Call): Promise<undefined> {
  const types = options.list("type");
  let after = options.number("after") ?? 0;
  let left = options.number("limit") ?? Number.POSITIVE_INFINITY;
  const ask = () =>
    client.events(
      given({ after, types: types.length === 0 ? undefined : types.join(","), limit: Math.min(left, page) }),
    );
  if (options.flag("json")) return void out.json(await ask());
  for (;;) {
    const answer = await ask();
    if (answer.gap) out.note(gapText(answer.gap));
    for (const event of answer.events) out.line(lineOf(out, event));
    left -= answer.events.length;
    if (left <= 0 || !answer.more) return;
    after = answer.last;
  }
}

const page = 1_000;

async function follow({ client, connection, options, out, progress }: Call): Promise<undefined> {
  // `ping` first: it starts the daemon or reports why it cannot. `follow` alone would retry forever.
  const { lastEvent } = await client.ping({});
  progress.silence();
  const after = options.number("after") ?? lastEvent;
  const onConnection = (connected: boolean, reason = "no reason given") => {
    if (!connected) out.note(`paneward: the daemon does not answer (${reason}); retrying`);
  };
  for await (const event of connection.running.follow({ after, types: options.list("type"), onConnection })) {
    if (options.flag("json")) out.json(event);
    else out.line("seq" in event ? lineOf(out, event) : gapText(event));
  }
}

interface Numbered {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data?: unknown;
}

function lineOf(out: Call["out"], { seq, at, type, data }: Numbered): string {
  const head = `${String(seq).padStart(6)}  ${momentOf(at)}  ${type.padEnd(24)}`;
  const words = oneLine(eventWords(type, data));
  return `${head}  ${out.paint("dim", cutTo(words, Math.max(20, out.columns - head.length - 2)))}`;
}

function gapText({ after, before }: Extract<FollowedEvent, { readonly type: "gap" }>): string {
  return `        events ${after + 1} to ${before} are no longer kept`;
}
