import { type Agent, PanewardError } from "@paneward/sdk";
import type { AgentRecord } from "../../model/records.ts";
import { turnView } from "../agents/agent-book.ts";
import { receipt } from "../courier/receipts.ts";
import type { Handlers } from "../handlers.ts";
import { resolve, resolveTerminal } from "../resolve.ts";
import { type Adopted, plainSocket } from "../terminals/adopted.ts";
import type { Runtime } from "../world.ts";

/** Agents, their questions and their conversations. */
export function agentOperations(rt: Runtime, adopted: Adopted) {
  const view = (record: AgentRecord) => agentView(rt, record);
  return {
    agents: async ({ all }) => ({
      agents: rt.store
        .agents()
        .filter(({ endedAt }) => all || endedAt === undefined)
        .map(view),
    }),
    agent: async ({ id }) => view(resolveAgent(rt, id)),
    turns: async ({ id, limit }) => ({ turns: rt.store.turns(resolveAgent(rt, id).id, limit).map(turnView) }),
    questions: async () => ({ questions: [...rt.questions.open()] }),
    deliveries: async ({ id, limit }) => ({
      deliveries: rt.store.deliveries(resolveTerminal(rt, id).id, limit).map(receipt),
    }),
    adopt: async ({ pane, socket, agent }) => view(await adopted.adopt(socket ?? plainSocket(rt.env), pane, agent)),
    availability: async ({ id }) => {
      const agent = resolveAgent(rt, id);
      const available = agent.endedAt === undefined && (await rt.availability.check(agent));
      return { status: "ok", agent_id: agent.id, commander_available: available };
    },
  } satisfies Partial<Handlers>;
}

/** The agent that an id means: its own, or the task's or terminal's that it lives in. */
export function resolveAgent(rt: Runtime, id: string): AgentRecord {
  const named = rt.store.agent(id);
  if (named) return named;
  const found = resolve(rt, id);
  const terminal = found.kind === "task" ? found.task.terminal : found.terminal.id;
  const agent = terminal === undefined ? undefined : rt.agents.of(terminal);
  if (agent) return agent;
  throw new PanewardError("not_found", `no agent lives in ${id}`, { hint: "`paneward agents` lists them" });
}

/** An agent as doors show it. */
function agentView(rt: Runtime, record: AgentRecord): Agent {
  const { server: _server, hookedAt, ...agent } = record;
  const ended = record.endedAt !== undefined;
  const question = record.terminal === undefined || ended ? undefined : rt.questions.of(record.terminal);
  const heard = record.terminal === undefined ? undefined : rt.attention.lastOutputAt(record.terminal);
  const silentSince = Math.max(record.stateSince, hookedAt ?? 0, heard ?? 0);
  return {
    ...agent,
    timed_out: !ended && record.state === "processing" && rt.clock.now() - silentSince > timedOutMs,
    commander_available: rt.availability.isAvailable(record),
    ...(question === undefined ? {} : { question }),
  };
}

const timedOutMs = 600_000;
