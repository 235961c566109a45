import { type Output, PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { forEachId } from "../for-each-id.ts";
import { printTable } from "../look/table.ts";
import { given, requireOne } from "../options.ts";

export const restoreCommands: readonly Command[] = [
  {
    name: "restore",
    operations: ["restore", "ps"],
    summary: "start lost programs again, as after a reboot",
    details:
      "Each starts once, in its folder, with its command and its variables; it keeps its id and its journal. An agent whose conversation is known resumes it. What runs, was stopped, or ended by itself is left alone. Without ids and `--all`, only lists what can be restored.",
    page: "restore.md",
    takes: "[id...]",
    completes: "ids",
    options: [
      ["--all", "everything that is lost"],
      ["--dry-run", "only say what would be done"],
    ],
    examples: ["paneward restore --dry-run", "paneward restore --all", "paneward restore t3 12"],
    run: restore,
  },
  {
    name: "keep-running",
    operations: ["keep_running"],
    summary: "let programs come back by themselves after a reboot",
    details:
      "What `paneward run --keep-running` sets. A program that ends by itself, or is stopped, stays as it is: it comes back only after its tmux server was lost.",
    page: "restore.md#services",
    takes: "<id...>",
    completes: "ids",
    options: [["--off", "it does not come back any more"]],
    examples: ["paneward keep-running t3", "paneward keep-running t3 --off"],
    run: keepRunning,
  },
];

type Restored = Output<"restore">["restored"][number];

async function restore(call: Call): Promise<number> {
  const { options, out, args } = call;
  const [all, dryRun] = [options.flag("all"), options.flag("dryRun")];
  requireOne({ "--all": all, "an id": args.length > 0 });
  const asks = !all && args.length === 0;
  const { restored } = await restoring(call, dryRun || asks);
  if (options.flag("json")) out.json({ restored });
  else print(call, restored, asks && !dryRun);
  return restored.some(({ outcome }) => outcome === "cannot") && !dryRun && !asks ? failed.row.exitCode : 0;
}

// What `restart` of such a terminal ends with, too.
const failed = new PanewardError("wrong_state", "not all could be restored");

/** Counts on the line of progress what runs again. */
async function restoring(call: Call, dryRun: boolean): Promise<Output<"restore">> {
  const { client, connection, progress, args } = call;
  const input = given({ ids: args.length === 0 ? undefined : [...args], dry_run: dryRun });
  if (dryRun || !progress.isShown) return client.restore(input);
  // `ps` starts the daemon if needed; `follow` would only wait for it.
  const { lastEvent, restore } = await client.ps({});
  const total = args.length > 0 ? args.length : restore?.can;
  const of = total === undefined ? "" : ` of ${total}`;
  const stop = new AbortController();
  const counting = (async () => {
    let count = 0;
    for await (const event of connection.running.follow({ after: lastEvent, types, signal: stop.signal })) {
      if (event.type !== "gap") progress.say(`restoring: ${++count}${of} started`);
    }
  })();
  try {
    return await client.restore(input);
  } finally {
    stop.abort();
    await counting.catch(() => {});
  }
}

const types = ["terminal_opened", "task_started"] as const;

function print({ out }: Call, restored: readonly Restored[], asks: boolean): void {
  if (restored.length === 0) return void out.note("nothing is lost");
  printTable(out, restored, [
    { title: "ID", of: ({ id }) => id, right: true },
    { title: "NAME", of: ({ name }) => name, cut: true },
    { title: "RESULT", of: ({ outcome }) => words[outcome], colour: ({ outcome }) => colours[outcome] },
    { title: "HOW", of: ({ as }) => (as === undefined ? "" : how[as]) },
    { title: "WHY", of: ({ reason }) => reason ?? "", cut: true },
  ]);
  const count = (wanted: Restored["outcome"]) => restored.filter(({ outcome }) => outcome === wanted).length;
  const [done, would, cannot] = [count("restored"), count("would"), count("cannot")];
  const parts = [
    done > 0 ? `${done} restored` : "",
    would > 0 ? `${would} can be restored` : "",
    cannot > 0 ? `${cannot} cannot` : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) out.note(parts.join(", "));
  if (asks && would > 0) out.note("`paneward restore --all` starts them, `paneward restore ID` one");
}

const words = { restored: "restored", would: "can be", runs: "runs", cannot: "cannot" } as const;
const colours = { restored: "green", would: "green", runs: undefined, cannot: "red" } as const;
const how = { conversation: "resumed its conversation", anew: "from the beginning" } as const;

function keepRunning(call: Call): Promise<number> {
  const { client, options, out } = call;
  const on = !options.flag("off");
  return forEachId(call, async (id) => {
    const terminal = await client.keep_running({ id, on });
    if (options.flag("json")) out.json(terminal);
    else out.line(`${terminal.id} ${terminal.name} ${on ? "comes" : "does not come"} back by itself after a reboot`);
  });
}
