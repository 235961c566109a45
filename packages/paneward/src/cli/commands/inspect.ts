import { ageOf, momentOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { statusColours } from "../look/status.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";
import { receiptWords } from "../receipt-words.ts";
import { doctorCommand } from "./doctor.ts";

export const inspectCommands: readonly Command[] = [
  {
    name: "explain",
    operations: ["explain"],
    summary: "why a task or terminal has its status: witnesses, rule, age",
    takes: "<id>",
    completes: "ids",
    examples: ["paneward explain 12", "paneward explain t3 --json"],
    run: explain,
  },
  {
    name: "hosts",
    operations: ["hosts"],
    summary: "the hosts and the state of their tmux servers",
    details:
      "The first use of a host connects to it; before that its state is `not_used`. The list never waits for a host. `connecting` shows for how long, `silent` means no answer within a second, `unavailable` shows why the connection failed.",
    examples: ["paneward hosts"],
    run: hosts,
  },
  {
    name: "config",
    operations: ["config"],
    summary: "the configuration in force here, as TOML",
    details: "Merges the defaults, your file, and the file of the current repository. Warns about unknown keys.",
    examples: ["paneward config", "paneward config --json"],
    run: config,
  },
  doctorCommand,
  {
    name: "refresh",
    operations: ["refresh"],
    summary: "check worktrees and terminals again and notify all clients",
    details: "For scripts that change worktrees themselves. Writes the event `tasks_changed`.",
    options: [["--reason <text>", "why, for the event log"]],
    examples: ["paneward refresh", 'paneward refresh --reason "branches moved"'],
    run: refresh,
  },
  {
    name: "audit",
    operations: ["audit"],
    summary: "who changed what, and through which door",
    details: "Lists every operation that changes something. Typed text is never stored.",
    options: [["--limit <n>", "at most the last N entries"]],
    examples: ["paneward audit", "paneward audit --limit 1000 --json"],
    run: audit,
  },
];

async function explain({ client, args, options, out }: Call): Promise<undefined> {
  const [id = ""] = args;
  const answer = await client.explain({ id });
  if (options.flag("json")) return void out.json(answer);
  const now = Date.now();
  const { why, status } = answer;
  out.line(`${answer.id} ${answer.name}: ${out.paint(statusColours[status], status)} for ${ageOf(why.since, now)}`);
  out.line(`reported by ${why.source}: ${why.rule}`);
  if (why.evidence !== undefined) out.line(`evidence: ${why.evidence}`);
  if (answer.delivery) out.line(`last text: ${receiptWords(answer.delivery)}`);
  if (answer.keepRunning) out.line("it comes back by itself after the tmux server was lost, as by a reboot");
  if (answer.witnesses.length === 0) return;
  out.line("");
  printTable(out, answer.witnesses, [
    { title: "", of: ({ used }) => (used ? "*" : ""), colour: () => "green" },
    { title: "WITNESS", of: ({ witness }) => witness },
    { title: "AGE", of: ({ at }) => ageOf(at, now), right: true },
    { title: "SAYS", of: ({ says }) => says, cut: true },
    { title: "BECAUSE", of: ({ because }) => because ?? "", cut: true },
  ]);
}

async function hosts({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.hosts({});
  if (options.flag("json")) return void out.json(answer);
  printTable(out, answer.hosts, [
    { title: "HOST", of: ({ name }) => name },
    { title: "STATE", of: ({ state }) => state, colour: ({ state }) => (state === "connected" ? "green" : "yellow") },
    { title: "LATENCY", of: ({ latency_ms: ms }) => (ms === undefined ? "" : `${ms} ms`), right: true },
    { title: "TRANSPORT", of: ({ transport }) => transport },
    { title: "TMUX", of: ({ tmux }) => tmux ?? "" },
    { title: "REASON", of: ({ reason }) => reason ?? "", cut: true },
    { title: "PREFIX", of: ({ prefix }) => prefix.join(" "), cut: true },
    { title: "SOCKET", of: ({ socket }) => socket, cut: true },
  ]);
}

async function config({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.config({ root: process.cwd() });
  if (options.flag("json")) return void out.json(answer);
  const { stringify } = await import("smol-toml");
  for (const warning of answer.warnings) out.note(`paneward: ${warning}`);
  out.line(`# defaults${answer.files.map((file) => ` < ${file}`).join("")}`);
  out.line(stringify(answer.config).trimEnd());
}

async function refresh({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.refresh(given({ reason: options.text("reason") }));
  if (options.flag("json")) out.json(answer);
  else out.note("refreshed; clients were notified");
}

async function audit({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.audit(given({ limit: options.number("limit") }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.entries.length === 0) return void out.note("nothing has been changed yet");
  printTable(out, answer.entries, [
    { title: "WHEN", of: ({ at }) => momentOf(at) },
    { title: "WHO", of: ({ who }) => who },
    { title: "DEVICE", of: ({ device }) => device ?? "", cut: true },
    { title: "DOOR", of: ({ door }) => door },
    { title: "OPERATION", of: ({ operation }) => operation },
    { title: "SUBJECT", of: ({ subject }) => subject, cut: true },
    {
      title: "OUTCOME",
      of: ({ outcome }) => outcome,
      colour: ({ outcome }) => (outcome === "ok" ? undefined : "red"),
      cut: true,
    },
  ]);
}
