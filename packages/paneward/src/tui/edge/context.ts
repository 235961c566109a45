import type { Client, Output } from "@paneward/sdk";

/** What the command that starts the interface passes in. */
export interface TuiContext {
  /** Starts the daemon if it is not running. */
  readonly client: Client;
  /** Never starts the daemon: for following events. */
  readonly running: Client;
  /** The first list, asked for while this interface was loaded. */
  readonly firstList: Promise<Output<"ps">>;
  /** The daemon's URL; undefined when connected by its socket. */
  readonly address: string | undefined;
  /** Whether the daemon's programs and folders are on this machine. */
  readonly isHere: () => Promise<boolean>;
  readonly env: NodeJS.ProcessEnv;
  /** The folder for new tasks. */
  readonly folder: string;
  /** Runs another program on the terminal and returns its exit code. */
  readonly run: (program: {
    readonly argv: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly cwd?: string;
  }) => Promise<number>;
}
