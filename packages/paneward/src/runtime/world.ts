import type { Config, Places, Scope } from "@paneward/sdk";
import type { AskedNow } from "../agents/agent.ts";
import type { AgentBook } from "./agents/agent-book.ts";
import type { Availability } from "./agents/availability.ts";
import type { HookAnswers } from "./answering/hook-answers.ts";
import type { Attention } from "./attention/attention.ts";
import type { Prompts } from "./courier/prompts.ts";
import type { Clock, Files, Log, Machine, Store, Terminals, Worktrees } from "./ports.ts";
import type { QuestionBook } from "./questions/question-book.ts";
import type { AgentServers } from "./witnesses/agent-servers.ts";

/** What every operation works with. Built once, in daemon.ts. */
export interface Runtime {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: Places;
  /** The environment that terminals may get something from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly terminals: Terminals;
  readonly worktrees: Worktrees;
  readonly files: Files;
  readonly machine: Machine;
  readonly attention: Attention;
  readonly questions: QuestionBook;
  readonly agents: AgentBook;
  readonly hookAnswers: HookAnswers<AskedNow>;
  readonly prompts: Prompts;
  readonly servers: AgentServers;
  readonly availability: Availability;
  /** The configuration for a project folder; without one, the user's. */
  readonly configFor: (
    root?: string,
  ) => Promise<{ readonly config: Config; readonly files: readonly string[]; readonly warnings: readonly string[] }>;
  /** The port of HTTP on loopback; undefined while there is none. */
  readonly httpPort: () => number | undefined;
  readonly shutdown: () => void;
}

/** Who calls, with what right, through which door. */
export interface Caller {
  readonly who: string;
  readonly scope: Scope;
  readonly door: string;
  /** Aborted when the caller went away: nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}
