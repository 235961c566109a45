import type { Agent } from "@paneward/sdk";
import type { AgentRecord } from "../../model/records.ts";
import { silentWorkMs } from "../../model/timing.ts";
import { turnView } from "../agents/agent-book.ts";
import type { Availability } from "../agents/availability.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { Handlers } from "../calls.ts";
import { receipt } from "../courier/receipts.ts";
import { resolveTerminal } from "../resolve.ts";
import { sureAge } from "../steady-time.ts";
import type { Adopted } from "../terminals/adopted.ts";
import { plainSocket } from "../terminals/foreign-host.ts";
import type { World } from "../world.ts";
import { questionView } from "./question-view.ts";
import type { ViewDeps } from "./views.ts";

export interface AgentDeps extends ViewDeps, Pick<World, "clock" | "env"> {
  readonly adopted: Adopted;
  readonly availability: Availability;
}

/** Agents, their questions and their conversations. */
export function agentOperations(deps: AgentDeps) {
  const view = (record: AgentRecord) => agentView(deps, record);
  return {
    agents: async ({ all }) => ({
      agents: deps.store
        .agents()
        .filter(({ endedAt }) => all || endedAt === undefined)
        .map(view),
    }),
    agent: async ({ id }) => view(resolveAgent(deps, id)),
    turns: async ({ id, limit }) => ({ turns: deps.store.turns(resolveAgent(deps, id).id, limit).map(turnView) }),
    questions: async () => ({ questions: [...deps.questions.open()] }),
    question: async ({ id }, { scope }) => ({ ...questionView(deps, id), scope }),
    deliveries: async ({ id, limit }) => ({
      deliveries: deps.store.deliveries(resolveTerminal(deps, id).id, limit).map(receipt),
    }),
    adopt: async ({ pane, socket, agent }) =>
      view(await deps.adopted.adopt(socket ?? plainSocket(deps.env), pane, agent)),
    availability: async ({ id }) => {
      const agent = resolveAgent(deps, id);
      const available = agent.endedAt === undefined && (await deps.availability.check(agent));
      return { status: "ok", agent_id: agent.id, commander_available: available };
    },
  } satisfies Partial<Handlers>;
}

/** An agent as doors show it. */
function agentView(deps: AgentDeps, record: AgentRecord): Agent {
  const { server: _server, reachable: _reachable, hookedAt, ...agent } = record;
  const ended = record.endedAt !== undefined;
  const question = record.terminal === undefined || ended ? undefined : deps.questions.of(record.terminal);
  const lastOutputAt = record.terminal === undefined ? undefined : deps.attention.lastOutputAt(record.terminal);
  const silentSince = Math.max(record.stateSince, hookedAt ?? 0, lastOutputAt ?? 0);
  return {
    ...agent,
    timed_out: !ended && record.state === "processing" && sureAge(deps.clock, silentSince) > silentWorkMs,
    commander_available: deps.availability.isAvailable(record),
    ...(question === undefined ? {} : { question }),
  };
}
