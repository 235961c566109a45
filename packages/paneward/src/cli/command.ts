import type { Client, Door, OperationName } from "@paneward/sdk";
import type { Connection } from "./daemon/connection.ts";
import type { Out } from "./look/out.ts";
import type { Progress } from "./look/progress.ts";
import type { Options } from "./options.ts";

/** One command of `paneward` as data. Parser, help, completion, docs/cli.md and the parity test all read this row. */
export interface Command {
  /** Such as `ps` or `token create`. */
  readonly name: string;
  /** The operations it serves. */
  readonly operations: readonly OperationName[];
  readonly summary: string;
  /** What a summary has no room for; shown by `--help` and in docs/cli.md. */
  readonly details?: string;
  /** The page in docs that says more, such as `tasks.md#merge`. */
  readonly page?: string;
  /** Its arguments in the usual notation: `<id...> [text]`. */
  readonly takes?: string;
  /** What completes its arguments: the ids of tasks and terminals, agents, or fixed words. */
  readonly completes?: "ids" | "tasks" | "agents with hooks" | readonly string[];
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  /** False for a command that prints no data. */
  readonly json?: false;
  readonly hidden?: true;
  /** Set when the command is only the transport of another door. */
  readonly door?: Door;
  /** Owns the whole terminal: print nothing else. */
  readonly drawsItself?: true;
  /** Options after the first argument belong to another program. */
  readonly passesOn?: true;
  /** Returns an exit code; undefined means 0. */
  readonly run: (call: Call) => Promise<number | undefined>;
}

/** Flags as in `--lines <n>`, what they do, and whether they may be repeated. */
export type Option = readonly [flags: string, what: string, repeated?: "repeated"];

/** What a command is run with. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Options;
  readonly env: NodeJS.ProcessEnv;
  readonly out: Out;
  readonly progress: Progress;
  readonly connection: Connection;
  /** Starts the daemon if it is not running. */
  readonly client: Client;
}
