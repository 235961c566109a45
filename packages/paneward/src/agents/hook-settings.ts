import type { ServerAddress } from "../model/agents/agent-server.ts";

/** How an agent that Paneward starts reaches the daemon. */
export interface HookFacts {
  /** A shell command line that takes a hook's JSON on stdin, reports it and ends at once. */
  readonly reportCommand: string;
  /** The same, but it waits for the answer to a permission and prints it; nothing when no answer comes this way. */
  readonly waitCommand: string;
  /** A folder of this terminal's own, for agents that take their hooks from a file. */
  readonly folder: string;
  /** The user wants hooks even for an agent that first asks whether they may run. */
  readonly evenIfAsked?: boolean;
  /** A free port on loopback and a password, for agents that run an HTTP server. */
  readonly server?: ServerAddress;
}

/** Hooks by the agent's own event names, in the shape that several agents share. */
export type HookSettings = Readonly<Record<string, readonly HookEntry[]>>;

export interface HookEntry {
  readonly hooks: readonly HookHandler[];
}

export interface HookHandler {
  readonly type: "command";
  readonly command: string;
  /** In the agent's own unit: seconds or milliseconds. */
  readonly timeout: number;
  readonly name?: string;
}

/** A command with hooks. */
export interface Hooked {
  readonly cmd: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What must be written below `folder` before the agent starts. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Hooks that `paneward hooks install` adds to the user's settings. */
export interface InstallableHooks {
  /** What people type, where it is not the agent's name. */
  readonly installedAs?: string;
  /** Where the agent keeps the user's hooks, and the variable that moves it. */
  readonly file: (env: Environment) => string;
  readonly variable: string;
  readonly hooks: (commands: Pick<HookFacts, "reportCommand" | "waitCommand">) => HookSettings;
  /** What a person must still do. */
  readonly advice: string;
}

/** An agent into whose settings hooks can be installed. */
export interface HookedAgent extends InstallableHooks {
  /** The agent's name in the registry. */
  readonly kind: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
