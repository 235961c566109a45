import type { ServerPlace, ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";

/** HTTP servers that agents run on loopback. Nothing is sent to a port that another process has taken. */
export interface AgentHttp {
  /** A free port: not one of `taken`, and not one that the system assigns to outgoing connections. */
  freePort(taken: readonly number[]): Promise<number>;
  isFree(port: number): Promise<boolean>;
  /** Sends one request; never throws. */
  ask(at: ServerPlace, request: ServerRequest, signal?: AbortSignal): Promise<ServerSaid>;
  /** Reports the data of every message of an event stream; resolves with the reason of its end. Never throws. */
  follow(at: ServerPlace, path: string, listener: StreamListener, signal: AbortSignal): Promise<string>;
}

export interface StreamListener {
  /** The stream is open: from now on everything that happens is reported. */
  opened(): void;
  message(data: string): void;
}
