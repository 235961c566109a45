import type { Client, Door, OperationName } from "@paneward/sdk";
import type { Connection } from "./daemon/connection.ts";
import type { Out } from "./look/out.ts";
import type { Progress } from "./look/progress.ts";
import type { Options } from "./options.ts";

/** One command of `paneward`, as data: the program, help, completions, docs/cli.md and the parity test read this row. */
export interface Command {
  /** What is typed, such as `ps` or `token create`. */
  readonly name: string;
  /** The operations that it serves. */
  readonly operations: readonly OperationName[];
  readonly summary: string;
  /** What a summary has no room for; shown by `--help` and in docs/cli.md. */
  readonly details?: string;
  /** The page in docs that says more, such as `tasks.md#merge`. */
  readonly page?: string;
  /** Its arguments in the usual notation: `<id...> [text]`. */
  readonly takes?: string;
  /** What completes its arguments: the ids of tasks and terminals, or fixed words. */
  readonly completes?: "ids" | "tasks" | readonly string[];
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  /** False for a command that prints no data. */
  readonly json?: false;
  readonly hidden?: true;
  /** Another door than `cli`, for a command that only carries it. */
  readonly door?: Door;
  /** It has the whole terminal: nothing may be written beside it. */
  readonly drawsItself?: true;
  /** Everything after the first argument belongs to another program. */
  readonly passesOn?: true;
  /** Answers with an exit code; nothing means 0. */
  readonly run: (call: Call) => Promise<number | undefined>;
}

/** Flags as in `--lines <n>`, what they do, and whether they may be repeated. */
export type Option = readonly [flags: string, what: string, repeated?: "repeated"];

/** What one run of a command works with. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Options;
  readonly env: NodeJS.ProcessEnv;
  readonly out: Out;
  readonly progress: Progress;
  readonly connection: Connection;
  /** Reaches the daemon, and starts it when it is not running. */
  readonly client: Client;
}
