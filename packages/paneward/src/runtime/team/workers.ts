import {
  type Delivery,
  type Output,
  type Parsed,
  type Question,
  type Team,
  type Thread,
  teamTmuxSocket,
} from "@paneward/sdk";
import { isGuarded } from "../../model/courier/submission.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { TeamFailure } from "../../model/team/failure.ts";
import type { WorkerRecord } from "../../model/team/worker.ts";
import { agentIn } from "../agent-kind.ts";
import type { Caller } from "../calls.ts";
import type { FoundPane, Terminals } from "../ports.ts";
import type { Supervisor } from "../terminals/supervisor.ts";
import type { World } from "../world.ts";
import { requireThread } from "./conversations.ts";
import { joinTeam, requireAgentName, type TeamPorts } from "./members.ts";

/** Workers: sessions of a team's own tmux server, which the daemon watches as a host. */

export interface WorkerPorts extends TeamPorts, Pick<World, "env"> {
  readonly terminals: Pick<Terminals, "panes">;
}

export interface NewWorker {
  readonly session: string;
  readonly agentId: string;
  readonly leader: string;
  readonly threadId?: string;
  readonly cwd: string;
  readonly argv: readonly string[];
}

/** What a leader can do with the terminals of workers. */
export interface WorkerTerminals {
  readonly adopt: Supervisor["adopt"];
  readonly send: (input: Parsed<"send">, caller: Caller) => Promise<Delivery>;
  readonly respond: (input: Parsed<"respond">, caller: Caller) => Promise<Output<"respond">>;
  readonly stop: (input: Parsed<"stop">, caller: Caller) => Promise<Output<"stop">>;
}

/** The host name of a team's tmux server. */
export function teamHost(team: string): string {
  return `team:${team}`;
}

/** Adopts a session as a terminal. Registering the same session again changes nothing. */
export async function registerWorker(
  ports: WorkerPorts,
  adopt: WorkerTerminals["adopt"],
  team: Team,
  wanted: NewWorker,
): Promise<WorkerRecord> {
  const { session, cwd, argv, threadId } = wanted;
  const thread = threadId === undefined ? undefined : requireThread(ports, threadId, team);
  for (const name of [wanted.agentId, wanted.leader]) requireAgentName(name);
  const found = await findPane(ports, team.teamId, session);
  const known = ports.store.team.worker(team.teamId, session);
  if (known && isIn(ports.store.terminal(known.terminal), found)) return known;
  const host = teamHost(team.teamId);
  const terminal = await adopt(
    { name: `${team.teamId}-${session}`, host, argv, cwd, env: {}, keep: false, columns: 200, rows: 50, session },
    found,
  );
  const now = ports.clock.now();
  const worker: WorkerRecord = {
    teamId: team.teamId,
    session,
    agentId: wanted.agentId,
    leader: wanted.leader,
    threadId: thread?.id ?? null,
    socket: teamTmuxSocket(ports.env.HOME ?? "/", team.teamId),
    cwd,
    terminal: terminal.id,
    state: "working",
    since: now,
    startedAt: now,
    told: {},
  };
  ports.store.keep((writer) => {
    joinTeam(ports, writer, joinTeam(ports, writer, team, wanted.leader, "leader"), wanted.agentId, "worker");
    writer.team.putWorker(worker);
    if (thread) writer.team.putThread(withParticipants(thread, [wanted.leader, wanted.agentId]));
    writer.append("team_worker_changed", { worker: publicWorker(worker), change: "started" });
  });
  return worker;
}

export function requireWorker({ store }: Pick<TeamPorts, "store">, team: Team, session: string): WorkerRecord {
  const worker = store.team.worker(team.teamId, session);
  if (worker) return worker;
  throw new TeamFailure("WORKER_NOT_FOUND", `team ${team.teamId} has no worker ${session}`);
}

/** What the worker asks, for its leader: no other agent may answer. */
export function requireQuestion(worker: WorkerRecord, by: string): Question {
  const { session, leader, question } = worker;
  if (by !== leader)
    throw new TeamFailure("WORKER_FORBIDDEN", `only ${leader}, who started ${session}, answers for it`);
  if (question) return question;
  throw new TeamFailure("WORKER_ASKS_NOTHING", `${session} asks nothing now; nothing was typed`);
}

/** A text that is meant as an answer would be typed as a prompt once a person has answered: it is refused at once. */
export function requireNoDialog(
  { store }: Pick<TeamPorts, "store">,
  { session, terminal, question }: WorkerRecord,
): void {
  const record = question && store.terminal(terminal);
  const agent = record && agentIn(store, record);
  const isAgent = agent !== undefined && !agent.isShell;
  if (!question || !isGuarded({ inMode: false, isAgent, hasLine: agent?.readScreen !== undefined, question })) return;
  const message = `${session} asks: ${question.text}; answer it, for example by its option, and send the text after that`;
  throw new TeamFailure("WORKER_ASKS", message);
}

/** Waits until the worker no longer works, at most `ms`, and returns it. */
export async function waitUntilNotWorking(
  ports: TeamPorts,
  team: Team,
  session: string,
  ms: number,
  signal: AbortSignal,
): Promise<WorkerRecord> {
  const worker = requireWorker(ports, team, session);
  if (ms === 0 || worker.state !== "working") return worker;
  const rests = new AbortController();
  const stop = ports.store.onEvents((events) => {
    if (!events.some(({ type }) => type === "team_worker_changed")) return;
    if (ports.store.team.worker(team.teamId, session)?.state !== "working") rests.abort();
  });
  await ports.clock.sleep(ms, AbortSignal.any([signal, rests.signal]));
  stop();
  return requireWorker(ports, team, session);
}

/** A worker without what only the daemon needs to know. */
export function publicWorker({ told: _told, spokeAt: _spokeAt, ...worker }: WorkerRecord) {
  return worker;
}

function withParticipants(thread: Thread, names: readonly string[]): Thread {
  return { ...thread, participants: [...new Set([...thread.participants, ...names])] };
}

async function findPane(
  { terminals }: Pick<WorkerPorts, "terminals">,
  team: string,
  session: string,
): Promise<FoundPane> {
  const panes = await terminals.panes(teamHost(team)).catch((cause: Error) => {
    throw new TeamFailure("WORKER_UNREACHABLE", `the team's tmux server cannot be used: ${cause.message}`, { cause });
  });
  const found = panes.find(({ sessionName }) => sessionName === session);
  if (found) return found;
  throw new TeamFailure("WORKER_NOT_FOUND", `the team's tmux server has no session ${session}`);
}

function isIn(terminal: TerminalRecord | undefined, { place }: FoundPane): boolean {
  return (
    terminal?.place?.server === place.server && terminal.place.pane === place.pane && terminal.place.pid === place.pid
  );
}
