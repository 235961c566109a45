import type { Agent, Question } from "@paneward/sdk";
import { ageOf, cutTo, momentOf, oneLine } from "@paneward/sdk/text";
import { askedWords, doubtWords, proposalText, reportedWords } from "@paneward/sdk/view";
import type { Call, Command } from "../command.ts";
import type { Out } from "../look/out.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";

export const agentCommands: readonly Command[] = [
  {
    name: "agents",
    operations: ["agents", "agent", "turns", "availability"],
    summary: "agents: state, question, whether they can be answered; with an id, one agent and its conversation",
    takes: "[id]",
    completes: "ids",
    options: [
      ["-a, --all", "include agents whose conversation has ended"],
      ["--limit <n>", "at most the last N turns"],
    ],
    examples: ["paneward agents", "paneward agents a3", "paneward agents 12 --json"],
    run: agents,
  },
  {
    name: "questions",
    operations: ["questions", "question"],
    summary: "open questions, oldest first; with an id, this one, also when it is closed",
    takes: "[question]",
    examples: ["paneward questions", "paneward questions --json", "paneward questions q12"],
    run: questions,
  },
  {
    name: "deliveries",
    operations: ["deliveries"],
    summary: "what was typed into a terminal, with receipts",
    takes: "<id>",
    completes: "ids",
    options: [["--limit <n>", "at most the last N"]],
    examples: ["paneward deliveries 12", "paneward deliveries t3 --json"],
    run: deliveries,
  },
  {
    name: "adopt",
    operations: ["adopt"],
    summary: "read and answer an agent in a pane of your own tmux",
    takes: "<pane>",
    options: [
      ["--socket <path>", "the socket of your tmux server (default: the one of this pane, or of plain `tmux`)"],
      ["--agent <name>", "which agent it is (default: the one whose program runs there)"],
    ],
    examples: ["paneward adopt %12", "paneward adopt %3 --socket /tmp/tmux-1000/work --agent codex"],
    run: adopt,
  },
];

async function agents({ client, args, options, out }: Call): Promise<undefined> {
  const [id] = args;
  if (id === undefined) {
    const answer = await client.agents(given({ all: options.flag("all") ? "true" : undefined }));
    if (options.flag("json")) return void out.json(answer);
    if (answer.agents.length === 0) return void out.note("no agent is running; start one with `paneward new TEXT`");
    return printAgents(out, answer.agents);
  }
  const [agent, { turns }] = await Promise.all([
    client.agent({ id }),
    client.turns(given({ id, limit: options.number("limit") })),
  ]);
  const { commander_available } = await client.availability({ id: agent.id });
  if (options.flag("json")) return void out.json({ ...agent, commander_available, turns });
  printAgents(out, [agent]);
  for (const { at, actor, intent, text } of turns.filter((turn) => turn.intent !== "progress")) {
    out.line(`${momentOf(at)}  ${actor} ${intent}${text === "" ? "" : `: ${oneLine(text)}`}`);
  }
}

async function questions({ client, args, options, out }: Call): Promise<undefined> {
  const [id] = args;
  if (id !== undefined) {
    const answer = await client.question({ id });
    return void (options.flag("json") ? out.json(answer) : printQuestion(out, answer.question));
  }
  const answer = await client.questions({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.questions.length === 0) return void out.note("no open questions");
  for (const question of answer.questions) printQuestion(out, question);
}

async function deliveries({ client, args, options, out }: Call): Promise<undefined> {
  const [id = ""] = args;
  const answer = await client.deliveries(given({ id, limit: options.number("limit") }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.deliveries.length === 0) return void out.note("nothing has been typed into it");
  printTable(out, answer.deliveries, [
    { title: "WHEN", of: ({ createdAt }) => momentOf(createdAt) },
    { title: "STATE", of: ({ state }) => state, colour: ({ state }) => (state === "failed" ? "red" : undefined) },
    { title: "WAY", of: ({ way }) => way ?? "" },
    { title: "TEXT", of: ({ text }) => cutTo(oneLine(text ?? ""), maxTextLength), cut: true },
    { title: "REASON", of: ({ reason }) => reason ?? "", cut: true },
  ]);
}

// `--json` has the full text.
const maxTextLength = 200;

async function adopt({ client, args, options, out, env }: Call): Promise<undefined> {
  const [pane = ""] = args;
  const agent = await client.adopt(
    given({ pane, socket: options.text("socket") ?? currentTmuxSocket(env), agent: options.text("agent") }),
  );
  if (options.flag("json")) out.json(agent);
  else printAgents(out, [agent]);
}

// Inside tmux, default to its server: `$TMUX` begins with the socket path.
function currentTmuxSocket({ TMUX }: NodeJS.ProcessEnv): string | undefined {
  return /^(.+),\d+,\d+$/.exec(TMUX ?? "")?.[1];
}

function printAgents(out: Out, shown: readonly Agent[]): undefined {
  const now = Date.now();
  printTable(out, shown, [
    { title: "AGENT", of: ({ id }) => id },
    { title: "KIND", of: ({ kind }) => kind },
    { title: "IN", of: ({ task, terminal }) => (task === undefined ? (terminal ?? "") : `task ${task}`) },
    {
      title: "STATE",
      of: ({ state, timed_out: late, endedAt }) => (endedAt !== undefined ? "ended" : late ? "timed_out" : state),
      colour: ({ state }) => (state === "awaiting_input" ? "yellow" : undefined),
    },
    { title: "FOR", of: ({ stateSince }) => ageOf(stateSince, now), right: true },
    { title: "REACHED", of: ({ commander_available: reached }) => (reached ? "yes" : "no") },
    { title: "QUESTION", of: ({ question }) => (question ? oneLine(askedWords(question)) : ""), cut: true },
  ]);
}

function printQuestion(out: Out, question: Question): void {
  const where = question.task === undefined ? question.terminal : `task ${question.task}`;
  out.line(`${question.id}  ${where}  ${question.kind} for ${ageOf(question.openedAt, Date.now())}`);
  out.line(`  ${oneLine(askedWords(question))}`);
  const { tool = "" } = question.proposal ?? {};
  if (tool !== "") out.line(`  with: ${oneLine(tool)}`);
  const what = proposalText(question.proposal);
  if (what !== "") printWanted(out, what);
  for (const words of [reportedWords(question), doubtWords(question)]) {
    if (words !== undefined) out.line(`  ${words.split("\n").join("\n    ")}`);
  }
  for (const { number, label } of question.options) out.line(`  ${number}. ${label}`);
  if (question.state === "closed") out.line(`  closed: ${oneLine(question.closedBy ?? "it is gone")}`);
}

// All of it: what is approved here is what is shown here.
function printWanted(out: Out, what: string): void {
  const [first = "", ...more] = what.split("\n");
  out.line(`  would do: ${first}`);
  for (const line of more) out.line(`            ${line}`);
}
