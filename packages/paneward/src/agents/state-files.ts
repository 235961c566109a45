import type { Says } from "../model/attention/evidence.ts";
import type { Environment } from "./hook-settings.ts";

/** The folder in which an agent keeps a file about each of its processes. */
export interface AgentStateFiles {
  readonly folder: (env: Environment) => string;
  /** Reads one by the file's name and text; undefined when it is something else or half-written. */
  readonly read: (name: string, text: string) => ProcessState | undefined;
}

/** What such a file says. */
export interface ProcessState {
  readonly pid: number;
  readonly says: Says;
  readonly rule: string;
  /** When it last changed, by the file itself. */
  readonly at: number | undefined;
  readonly sessionId: string | undefined;
  /** tmux's name of the session, and the pane. */
  readonly session: string | undefined;
  readonly pane: string | undefined;
}
