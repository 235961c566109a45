import type { ServerResponse } from "node:http";
import type { Conversation } from "./conversation.ts";

/** One request of an agent, and where its answer goes. */
export interface Exchange {
  readonly body: unknown;
  readonly path: string;
  readonly response: ServerResponse;
  /** How many requests there have been; makes ids that are not used twice. */
  readonly count: number;
  readonly note: (asked: Asked) => void;
  readonly conversation: Conversation;
}

/** What reached the model: people's prompts, or none behind what a tool gave. */
export interface Asked {
  readonly prompts: readonly string[];
}
