import type { Config, Places } from "@paneward/sdk";
import type {
  Clock,
  ConfigInForce,
  Files,
  Identity,
  Log,
  Machine,
  PushKey,
  Store,
  Terminals,
  Worktrees,
} from "./ports.ts";

/** Everything outside the runtime: ports and configuration, no services. Built once, in daemon.ts. */
export interface World {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: Places;
  /** The daemon's environment; terminals may inherit parts of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly terminals: Terminals;
  readonly worktrees: Worktrees;
  readonly files: Files;
  readonly machine: Machine;
  readonly identity: Identity;
  readonly pushKey: PushKey;
  /** The configuration for a project folder; without one, the user's. */
  readonly configFor: (root?: string) => Promise<ConfigInForce>;
  /** What becomes of lost programs, as this daemon was started with it. */
  readonly restore: Config["daemon"]["restore"];
  /** The port of HTTP on loopback; undefined while there is none. */
  readonly httpPort: () => number | undefined;
  /** Under which the dashboard is opened from elsewhere, as this daemon was started with them. */
  readonly origins: readonly string[];
  /** Whether https addresses ask for a passkey. */
  readonly passkeys: "required" | "off";
  readonly shutdown: () => void;
}
