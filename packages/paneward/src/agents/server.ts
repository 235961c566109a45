import type { ServerAddress, ServerRequest } from "../model/agents/agent-server.ts";
import type { GivenAnswer } from "../model/answer.ts";
import type { AskedNow, HookPayload, Reading } from "./reading.ts";

/** An agent that tells what it does, and takes answers, over HTTP on a port of its own. Pure: values in, values out. */
export interface AgentServer {
  /** Where one that was started so listens; undefined when it was given no port. */
  readonly at: (argv: readonly string[], env: Readonly<Record<string, string>>) => ServerAddress | undefined;
  /** The same start on another port. */
  readonly moved: (started: Started, to: ServerAddress) => Started;
  /** The path of its stream of events. */
  readonly events: string;
  /** What is asked whenever the stream was opened: what happened before is not told again. */
  readonly catchUp: readonly string[];
  /** What is known after those were answered, in their order. */
  readonly began: (answers: readonly unknown[], known: KnownBefore) => ServerState;
  readonly after: (state: ServerState, event: ServerEvent) => ServerState;
  readonly reads: (state: ServerState) => ServerReading | undefined;
  /** The request that gives this answer; undefined when only keys can say it. */
  readonly answer: (asked: ServerAsked, options: AskedNow["options"], answer: GivenAnswer) => ServerRequest | undefined;
  /** The request that ends the turn, if there is one; undefined when no conversation is known. */
  readonly interrupt: (state: ServerState) => ServerRequest | undefined;
}

export interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface KnownBefore {
  /** The conversation that people saw last. */
  readonly current?: string | undefined;
  /** When its process was started. */
  readonly startedAt: number;
}

export interface ServerEvent {
  readonly type: string;
  readonly properties: HookPayload;
}

/** All that an agent's server has told so far. */
export interface ServerState {
  /** The folder that it works in. */
  readonly directory: string;
  readonly sessions: Readonly<Record<string, ServerSession>>;
  /** The conversation that people see; it and those below it are believed, others are not. */
  readonly current: string | undefined;
  /** The conversation that began or was prompted last. */
  readonly latest: string | undefined;
  /** What waits for an answer, oldest first. */
  readonly asked: readonly ServerAsked[];
}

export interface ServerSession {
  /** Something was told of it beside its status. */
  readonly known: boolean;
  readonly busy: boolean;
  readonly parent: string | undefined;
  /** It was just made, and nothing has happened in it. */
  readonly isYoung?: boolean;
}

export interface ServerAsked {
  readonly id: string;
  readonly session: string;
  readonly kind: "permission" | "question";
  readonly payload: HookPayload;
}

export interface ServerReading {
  readonly told: Reading;
  readonly question?: AskedNow;
}
