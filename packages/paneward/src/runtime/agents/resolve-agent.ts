import { PanewardError } from "@paneward/sdk";
import type { AgentRecord } from "../../model/records.ts";
import type { Store } from "../ports.ts";
import { resolve } from "../resolve.ts";
import type { AgentBook } from "./agent-book.ts";

export interface KnownAgents {
  readonly store: Store;
  readonly agents: AgentBook;
}

/** The agent that an id means: the agent's own id, or that of its task or terminal. */
export function resolveAgent(known: KnownAgents, id: string): AgentRecord {
  const named = known.store.agent(id);
  if (named) return named;
  const found = resolve(known, id);
  const terminal = found.kind === "task" ? found.task.terminal : found.terminal.id;
  const agent = terminal === undefined ? undefined : known.agents.of(terminal);
  if (agent) return agent;
  throw new PanewardError("not_found", `no agent runs in ${id}`, { hint: "`paneward agents` lists them" });
}
