import type { ServerAddress, ServerRequest } from "../model/agents/agent-server.ts";
import type { GivenAnswer } from "../model/answer.ts";
import type { DrawnScreen } from "../model/courier/submission.ts";
import type { HookPayload, Reading, ShownQuestion } from "./reading.ts";

/** An agent that reports what it does and takes answers over HTTP, on its own port. Pure: values in, values out. */
export interface AgentServer {
  /** The address that an agent with this argv and environment listens on; undefined without a port. */
  readonly at: (argv: readonly string[], env: Readonly<Record<string, string>>) => ServerAddress | undefined;
  /** The same start on another port. */
  readonly moved: (started: Started, to: ServerAddress) => Started;
  /** The path of its stream of events. */
  readonly events: string;
  /** Paths to read whenever the stream opens: it does not repeat earlier events. */
  readonly catchUp: readonly string[];
  /** The state that these answers describe, in the order of `catchUp`. */
  readonly began: (answers: readonly unknown[], known: KnownBefore) => ServerState;
  readonly after: (state: ServerState, event: ServerEvent) => ServerState;
  readonly reads: (state: ServerState) => ServerReading | undefined;
  /** The prompt that an event says the agent was given, if it does. */
  readonly prompted: (state: ServerState, event: ServerEvent) => ServerPrompt | undefined;
  /** The request that gives this answer; undefined when only keys can. */
  readonly answer: (
    asked: ServerAsked,
    options: ShownQuestion["options"],
    answer: GivenAnswer,
  ) => ServerRequest | undefined;
  /** How it is given a prompt beside its input line; absent where only keys can. */
  readonly prompting?: ServerPrompting;
  /** The request that ends the turn, if there is one; undefined when no conversation is known. */
  readonly interrupt: (state: ServerState) => ServerRequest | undefined;
}

export interface ServerPrompting {
  /** Paths to read right before, and later to find out if a prompt arrived; undefined while no conversation is known. */
  readonly reads: (state: ServerState) => readonly string[] | undefined;
  /**
   * The request that gives this text to the conversation on the screen, which goes on with it as if it had been typed there;
   * undefined when that is not certain.
   */
  readonly request: (text: string, now: PromptFacts) => ServerRequest | undefined;
  /** The prompts among what was read. */
  readonly given: (answers: readonly unknown[]) => readonly ServerPrompt[];
}

export interface PromptFacts {
  readonly state: ServerState;
  /** In the order of `reads`. */
  readonly answers: readonly unknown[];
  readonly screen: DrawnScreen;
}

export interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface KnownBefore {
  /** The conversation that was on the screen last. */
  readonly current?: string | undefined;
  /** When its process was started. */
  readonly startedAt: number;
}

export interface ServerPrompt {
  readonly text: string;
  /** By the wall clock. */
  readonly at: number;
  /** The agent's own name of it: several events may report it. */
  readonly called: string;
}

export interface ServerEvent {
  readonly type: string;
  readonly properties: HookPayload;
}

/** All that an agent's server has reported so far. */
export interface ServerState {
  /** The folder that the agent works in. */
  readonly directory: string;
  readonly sessions: Readonly<Record<string, ServerSession>>;
  /** The conversation on the screen. Only it and its subagents count. */
  readonly current: string | undefined;
  /** The conversation that began or was prompted last. */
  readonly latest: string | undefined;
  /** Open requests, oldest first. */
  readonly asked: readonly ServerAsked[];
  /** The last messages that a person gave a conversation, and when; their texts come apart. */
  readonly given: readonly { readonly id: string; readonly at: number }[];
}

export interface ServerSession {
  /** More than its status was reported. */
  readonly known: boolean;
  readonly busy: boolean;
  readonly parent: string | undefined;
  /** It was just created, and nothing has happened in it. */
  readonly isYoung?: boolean;
}

export interface ServerAsked {
  readonly id: string;
  readonly session: string;
  readonly kind: "permission" | "question";
  readonly payload: HookPayload;
}

export interface ServerReading {
  readonly reading: Reading;
  readonly question?: ShownQuestion;
  /** More questions that wait at the same time, oldest first. */
  readonly others?: readonly ShownQuestion[];
}
