import type { Output } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";

export const notifyCommands: readonly Command[] = [
  {
    name: "notify list",
    operations: ["notify_list"],
    summary: "the channels that tell you when something needs you, and whether they work",
    page: "notify.md",
    examples: ["paneward notify list"],
    run: list,
  },
  {
    name: "notify test",
    operations: ["notify_test"],
    summary: "send one notice through a channel, and print what came back",
    page: "notify.md",
    takes: "<channel>",
    examples: ["paneward notify test phone"],
    run: test,
  },
  {
    name: "notify history",
    operations: ["notify_history"],
    summary: "what you were told, through which channels, and why not",
    page: "notify.md#why-was-i-not-told",
    options: [["--limit <n>", "how many notices (default: 50)"]],
    examples: ["paneward notify history", "paneward notify history --limit 5"],
    run: history,
  },
];

async function list({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.notify_list({});
  if (options.flag("json")) return void out.json(answer);
  for (const problem of answer.problems) out.note(`paneward: ${problem}`);
  if (answer.channels.length === 0) return void out.note("no channel is configured; `docs/notify.md` shows how");
  printTable(out, answer.channels, [
    { title: "CHANNEL", of: ({ name }) => name },
    { title: "KIND", of: ({ kind }) => kind },
    { title: "TEXT", of: ({ text }) => text },
    { title: "BUTTONS", of: ({ buttons }) => (buttons ? "yes" : "") },
    { title: "STATE", of: ({ state }) => state, colour: ({ state }) => stateColours[state] },
    { title: "DETAIL", of: ({ detail }) => detail, cut: true },
    { title: "TELLS", of: ({ rules }) => rules.join("; "), cut: true },
  ]);
}

const stateColours = { ready: "green", failing: "red", unused: undefined } as const;

async function test({ args, client, options, out }: Call): Promise<number> {
  const [id = ""] = args;
  const answer = await client.notify_test({ id });
  if (options.flag("json")) out.json(answer);
  else out.line(`${answer.channel}: ${answer.outcome}: ${answer.said}`);
  return answer.outcome === "failed" ? 1 : answer.outcome === "unknown" ? 5 : 0;
}

type Notice = Output<"notify_history">["notices"][number];

async function history({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.notify_history(given({ limit: options.number("limit") }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.notices.length === 0) return void out.note("there have been no notices yet");
  const now = Date.now();
  printTable(out, answer.notices, [
    { title: "ID", of: ({ id }) => id },
    { title: "AGE", of: ({ at }) => ageOf(at, now), right: true },
    { title: "KIND", of: ({ kind }) => kind },
    { title: "WHAT", of: ({ title }) => title, cut: true },
    { title: "TOLD", of: sendWords, cut: true },
    { title: "WHY", of: ({ why }) => why, cut: true },
  ]);
}

function sendWords({ sends, digest }: Notice): string {
  if (digest !== undefined) return `with ${digest}`;
  const words = sends.map(
    ({ channel, state, reason }) => `${channel} ${state}${reason === undefined ? "" : ` (${reason})`}`,
  );
  return words.join(", ");
}
