import { ageOf } from "@paneward/sdk/text";
import { askedWords } from "@paneward/sdk/view";
import type { Call, Command } from "../command.ts";
import { printTable } from "../look/table.ts";
import { given } from "../options.ts";

const ofTeam = ["--team <team>", "only this team"] as const;
const asName = ["--as <name>", "the name to post as"] as const;

export const teamCommands: readonly Command[] = [
  {
    name: "team serve",
    operations: ["team_open"],
    summary: "open a team; pi agents find its address and token in its runtime.json",
    details: "`--json` prints the content of that file. Without a name the team is `default`.",
    takes: "[team]",
    options: [["--root <folder>", "base folder of relative resources (default: this folder)"]],
    examples: ["paneward team serve demo", "paneward team serve demo --json"],
    run: serve,
  },
  {
    name: "team list",
    operations: ["teams"],
    summary: "teams and their members",
    examples: ["paneward team list"],
    run: list,
  },
  {
    name: "team tasks",
    operations: ["team_tasks"],
    summary: "the board: tasks with status, holder and resources",
    options: [ofTeam],
    examples: ["paneward team tasks", "paneward team tasks --team demo --json"],
    run: tasks,
  },
  {
    name: "team workers",
    operations: ["team_workers"],
    summary: "workers with state, terminal and thread",
    options: [ofTeam],
    examples: ["paneward team workers"],
    run: workers,
  },
  {
    name: "team threads",
    operations: ["threads"],
    summary: "threads, most recent first; with a text, those that contain it",
    takes: "[text]",
    options: [ofTeam],
    examples: ["paneward team threads", "paneward team threads login"],
    run: threads,
  },
  {
    name: "team thread",
    operations: ["thread_read"],
    summary: "the last messages of a thread",
    takes: "<thread>",
    options: [["--limit <n>", "how many messages; at most 200"]],
    examples: ["paneward team thread thread-0001", "paneward team thread thread-0001 --limit 200"],
    run: thread,
  },
  {
    name: "team start",
    operations: ["thread_start"],
    summary: "start a thread; the text is its first message",
    takes: "<title> [text]",
    options: [["--team <team>", "in this team (default: default)"], asName],
    examples: ['paneward team start "Release" "Who looks at the changelog?"'],
    run: start,
  },
  {
    name: "team post",
    operations: ["thread_post"],
    summary: "post to a thread; all participants are notified",
    takes: "<thread> <text>",
    options: [asName],
    examples: ['paneward team post thread-0001 "Go on with the second part."'],
    run: post,
  },
];

async function serve({ client, args, options, out }: Call): Promise<undefined> {
  const [team] = args;
  const answer = await client.team_open(given({ team, root: options.text("root") ?? process.cwd() }));
  const { runtimePath, ...reached } = answer;
  if (options.flag("json")) return void out.json(reached);
  out.line(`team ${answer.teamId} is open at ${answer.url ?? answer.socket}`);
  out.note(`its address and token are in ${runtimePath} while the daemon runs`);
  out.note(`a leader: PI_TEAM_ID=${answer.teamId} PI_AGENT_ID=leader pi`);
}

async function list({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.teams({});
  if (options.flag("json")) return void out.json(answer);
  if (answer.teams.length === 0) return void out.note("no teams; `paneward team serve NAME` opens one");
  printTable(out, answer.teams, [
    { title: "TEAM", of: ({ teamId }) => teamId },
    { title: "ROOT", of: ({ root }) => root ?? "" },
    { title: "AGENTS", of: ({ agents }) => agents.map(({ id, role }) => `${id} (${role})`).join(", "), cut: true },
  ]);
}

async function tasks({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.team_tasks(given({ team: options.text("team") }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.tasks.length === 0) return void out.note("the board is empty");
  printTable(out, answer.tasks, [
    { title: "TASK", of: ({ id }) => id },
    { title: "TEAM", of: ({ teamId }) => teamId },
    { title: "STATUS", of: ({ status }) => status },
    { title: "OWNER", of: ({ owner }) => owner ?? "" },
    { title: "UNTIL", of: ({ lease }) => lease?.expiresAt ?? "" },
    { title: "TITLE", of: ({ title }) => title, cut: true },
    { title: "RESOURCES", of: ({ resources }) => resources.join(" "), cut: true },
  ]);
}

async function workers({ client, options, out }: Call): Promise<undefined> {
  const answer = await client.team_workers(given({ team: options.text("team") }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.workers.length === 0) return void out.note("no workers");
  const now = Date.now();
  printTable(out, answer.workers, [
    { title: "WORKER", of: ({ session }) => session },
    { title: "TEAM", of: ({ teamId }) => teamId },
    { title: "STATE", of: ({ state }) => state },
    { title: "FOR", of: ({ since }) => ageOf(since, now), right: true },
    { title: "TERMINAL", of: ({ terminal }) => terminal },
    { title: "THREAD", of: ({ threadId }) => threadId ?? "" },
    { title: "ASKS", of: ({ question }) => (question ? askedWords(question) : ""), cut: true },
  ]);
}

async function threads({ client, args, options, out }: Call): Promise<undefined> {
  const answer = await client.threads(given({ team: options.text("team"), q: args[0] }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.threads.length === 0) return void out.note("no threads found");
  printTable(out, answer.threads, [
    { title: "THREAD", of: ({ id }) => id },
    { title: "TEAM", of: ({ teamId }) => teamId },
    { title: "MESSAGES", of: ({ messages }) => String(messages), right: true },
    { title: "TASK", of: ({ taskId }) => taskId ?? "" },
    { title: "TITLE", of: ({ title }) => title, cut: true },
    { title: "WHO", of: ({ participants }) => participants.join(", "), cut: true },
  ]);
}

async function thread({ client, args, options, out }: Call): Promise<undefined> {
  const [id = ""] = args;
  const answer = await client.thread_read({ id, ...given({ limit: options.number("limit") }) });
  if (options.flag("json")) return void out.json(answer);
  const { title, teamId, participants } = answer.thread;
  out.line(`${id} ${title} (team ${teamId}${participants.length === 0 ? "" : `: ${participants.join(", ")}`})`);
  for (const { from, ts, body } of answer.messages) out.line(`\n${from} at ${ts}\n${body}`);
}

async function start({ client, args, options, out }: Call): Promise<undefined> {
  const [title = "", text] = args;
  const answer = await client.thread_start({
    title,
    ...given({ text, team: options.text("team"), as: options.text("as") }),
  });
  if (options.flag("json")) return void out.json(answer);
  out.line(answer.id);
}

async function post({ client, args, options, out }: Call): Promise<undefined> {
  const [id = "", text = ""] = args;
  const answer = await client.thread_post({ id, text, ...given({ as: options.text("as") }) });
  if (options.flag("json")) out.json(answer);
  else out.note(`posted to ${id}`);
}
