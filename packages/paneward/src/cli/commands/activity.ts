import type { Output } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { printTable } from "../look/table.ts";

export const activityCommands: readonly Command[] = [
  {
    name: "activity",
    operations: ["activity"],
    summary: "how busy each terminal was in the last hour, and its last line",
    examples: ["paneward activity"],
    run: activity,
  },
  {
    name: "recording",
    operations: ["recording"],
    summary: "how much a terminal printed, and when",
    details: "The dashboard uses this for its replay.",
    takes: "<id>",
    completes: "ids",
    examples: ["paneward recording t1"],
    run: recording,
  },
];

async function activity({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.activity({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.terminals.length === 0) return void out.note("there are no terminals");
  printTable(out, answer.terminals, [
    { title: "ID", of: ({ id }) => id },
    { title: "LAST HOUR", of: ({ counts }) => sparkline(counts) },
    { title: "LAST LINE", of: ({ last }) => last, cut: true },
  ]);
}

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

function sparkline(counts: readonly number[]): string {
  const buckets = Array.from({ length: 20 }, (_, at) => counts.slice(at * 3, at * 3 + 3).reduce((a, b) => a + b, 0));
  const max = Math.max(1, ...buckets);
  return buckets.map((count) => (count === 0 ? "·" : bars[Math.ceil((count / max) * 8) - 1])).join("");
}

async function recording({ client, options, out, args: [id = ""] }: Call): Promise<undefined> {
  const answer = await client.recording({ id });
  if (options.flag("json")) return void out.json(answer);
  if (answer.parts.length === 0) return void out.note("nothing has been printed yet");
  printTable(out, answer.parts, [
    { title: "PART", of: ({ epoch }) => epoch },
    { title: "BYTES", of: ({ from, to }) => String(to - from), right: true },
    { title: "LASTED", of: lasted, right: true },
  ]);
}

function lasted({ times }: Output<"recording">["parts"][number]): string {
  const [first, last] = [times[0], times.at(-1)];
  return first && last ? ageOf(first[1], last[1]) : "";
}
