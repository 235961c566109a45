import { PanewardError } from "@paneward/sdk";
import type { Handlers } from "./handlers.ts";

/** Agents, their questions and their conversations. */
export function agentOperations() {
  const later = async (): Promise<never> => {
    throw new PanewardError("unavailable", "agents are not watched yet");
  };
  return {
    agents: later,
    agent: later,
    turns: later,
    questions: later,
    deliveries: later,
    adopt: later,
    respond: later,
    availability: later,
  } satisfies Partial<Handlers>;
}
