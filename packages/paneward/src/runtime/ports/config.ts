import type { Config } from "@paneward/sdk";

/** The configuration that applies to a folder, and where it comes from. */
export interface ConfigInForce {
  readonly config: Config;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  /** The user's own file is there and could not be understood: what it says is not known. */
  readonly isUnread?: true;
  /** What the repository's own file says about programs. It runs only if the repository is trusted. */
  readonly project: {
    readonly agents: Config["agents"];
    readonly bootstrapCmd: string | undefined;
  };
}
