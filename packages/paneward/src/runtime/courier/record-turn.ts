import type { Agent } from "../../agents/agent.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Store } from "../ports.ts";

/** Writes a delivered prompt into the agent's conversation. Commands of the agent's program and secrets stay out of it. */
export function recordTurn(
  { agents, store }: { readonly agents: AgentBook; readonly store: Pick<Store, "deliveryById"> },
  { id, terminal, createdAt }: DeliveryRecord,
  agent: Agent | undefined,
): void {
  const { text, enter, command = false } = store.deliveryById(id)?.wish ?? { text: "", enter: false };
  const to = agents.of(terminal);
  if (!agent || agent.isShell || !to || to.endedAt !== undefined) return;
  if (!enter || text.trim() === "" || command) return;
  agents.said(to.id, { actor: "user", intent: "command", way: "given", text, delivery: id, since: createdAt });
}
