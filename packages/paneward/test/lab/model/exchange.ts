import type { ServerResponse } from "node:http";

/** One request of an agent, and where its answer goes. */
export interface Exchange {
  readonly body: unknown;
  readonly path: string;
  readonly response: ServerResponse;
  /** How many requests there have been; makes ids that are not used twice. */
  readonly count: number;
  readonly note: (asked: Asked) => void;
}

/** What reached the model from a person. */
export interface Asked {
  readonly prompt: string;
}
