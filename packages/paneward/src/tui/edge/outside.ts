import type { Client } from "@paneward/sdk";

/** What the interface is given by the command that starts it. */
export interface Outside {
  /** Starts the daemon when nobody listens. */
  readonly client: Client;
  /** Never starts one: for following events. */
  readonly running: Client;
  /** Where the daemon is, when it is not reached by its socket. */
  readonly address: string | undefined;
  /** Whether its programs and folders are on this machine too. */
  readonly isHere: () => Promise<boolean>;
  readonly env: NodeJS.ProcessEnv;
  /** Where new tasks belong. */
  readonly folder: string;
  /** Lets another program have the terminal; answers with its exit code. */
  readonly run: (program: {
    readonly argv: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly cwd?: string;
  }) => Promise<number>;
}
