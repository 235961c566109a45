import type { ServerPlace, ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";

/** HTTP servers that agents run on loopback. Nothing is sent to one that another process has taken the place of. */
export interface AgentHttp {
  /** A port that nobody listens on, none of those that are taken, and none that the system hands out by itself. */
  freePort(taken: readonly number[]): Promise<number>;
  isFree(port: number): Promise<boolean>;
  /** Asks once; never throws. */
  ask(at: ServerPlace, request: ServerRequest, signal?: AbortSignal): Promise<ServerSaid>;
  /** Tells the data of every message of an event stream, and why it ended; never throws. */
  follow(at: ServerPlace, path: string, heard: StreamHeard, signal: AbortSignal): Promise<string>;
}

export interface StreamHeard {
  /** The stream is open: from now on everything that happens is told. */
  opened(): void;
  message(data: string): void;
}
