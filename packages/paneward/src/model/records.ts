import type { Agent, Delivery, End, ErrorCode, Scope, Status, Turn, Why } from "@paneward/sdk";
import type { GivenAnswer } from "./answer.ts";
import type { PushAddress } from "./push-address.ts";

/** What is kept of a terminal. A terminal outlives its program, the daemon and the tmux server. */
export interface TerminalRecord {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly task?: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keep: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly session: string;
  readonly journal: string;
  /** A pane of the user's own server: read and answered, never managed. It has no journal. */
  readonly adopted?: boolean;
  /** Taken over while it ran, without its record: its command line is not known. */
  readonly found?: boolean;
  readonly phase: "starting" | "running" | "ended";
  /** It comes back by itself after its tmux server was lost. */
  readonly keepRunning?: true;
  /** The boot of this machine in which it was started. */
  readonly boot?: string;
  /** It is being started again: it may run already, in a session of its name. */
  readonly restoring?: Restoring;
  /** When it was last started without a person, and how often within a short time. */
  readonly revival?: { readonly at: number; readonly tries: number };
  /** Why it does not come back by itself: a person has to ask for it. */
  readonly held?: string;
  /** Where the program runs: tmux's ids mean something only with the server they come from. */
  readonly place?: PanePlace;
  /** The caller that stopped it; the next end is attributed to this caller. */
  readonly stopAskedBy?: string;
  readonly end?: End;
  /** The status that was reported last, so that a restarted daemon reports only what changed. */
  readonly lastReported?: { readonly status: Status; readonly why: Why };
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface Restoring {
  readonly at: number;
  /** The boot of this machine then. */
  readonly boot?: string;
  /** Its agent resumes its conversation in it. */
  readonly resumes: boolean;
}

export interface PanePlace {
  readonly server: string;
  readonly pane: string;
  readonly pid: number;
  readonly session: string;
}

/** Where git keeps what belongs to a repository and a worktree, recorded before an agent could change it. */
export interface GitDirsRecord {
  /** Of the user's checkout. */
  readonly root: string;
  /** What all checkouts share. */
  readonly common: string;
  /** Of the task's worktree, once there is one. */
  readonly worktree?: string;
}

export interface TaskRecord {
  readonly id: number;
  readonly slug: string;
  /** The top folder of the user's repository. */
  readonly root: string;
  readonly gitDirs?: GitDirsRecord;
  readonly text: string;
  readonly agent: string;
  /** The branch to merge into; absent when the repository had a detached HEAD. */
  readonly base?: string;
  readonly baseCommit?: string;
  readonly branch: string;
  readonly worktree: string;
  readonly draft: boolean;
  readonly hasWorktree: boolean;
  /** Its worktree is being made, or its bootstrap has not succeeded yet: the next start tries again before the agent runs. */
  readonly unprepared?: boolean;
  /** Its work is kept for undo, and its worktree was to be removed: if that did not end, the next start does it. */
  readonly leftover?: boolean;
  /** Submodules that had no files after the bootstrap. */
  readonly emptySubmodules?: readonly string[];
  readonly terminal?: string;
  readonly completedAt?: number;
  /** When a reset or an undo last gave it a worktree without a terminal. */
  readonly laidAt?: number;
  readonly createdAt: number;
}

/** What is kept of an agent. The pane's id stays after the end, so that it can be recognised. */
export interface AgentRecord {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly terminal?: string;
  readonly task?: number;
  readonly cwd?: string;
  readonly session_id?: string;
  readonly tmux_pane_id: string | null;
  readonly iterm_pane_id: string | null;
  /** The server process that the pane's id belongs to. */
  readonly server?: string;
  readonly state: Agent["state"];
  readonly stateSince: number;
  readonly adopted: boolean;
  /** Whether an answer could reach it when that was reported last, so that a restarted daemon reports only what changed. */
  readonly reachable?: boolean;
  /** When the last hook of this agent arrived. */
  readonly hookedAt?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** How a turn became known: sent through Paneward, reported by the agent's hook, or seen on its screen. */
export type Way = "given" | "told" | "seen";

export interface TurnRecord extends Turn {
  readonly ways?: readonly Way[];
  readonly called?: string;
}

export interface DeliveryRecord extends Delivery {
  readonly key?: string;
  /** The full content to deliver; removed when that is done, and never stored for a secret. */
  readonly wish?: DeliveryContent;
  /** In the order in which they came, over all terminals. */
  readonly number: number;
  /** The process that it is meant for: a later program in the pane must not get it. */
  readonly pid: number;
  /** What its sender may do; one of an earlier version may only send. */
  readonly scope?: Scope;
  /** Its delivery is under way, or has to continue after a restart. */
  readonly unfinished: boolean;
  /** Why it failed, for callers that wait for it; the second is the older dashboard's name. */
  readonly code?: ErrorCode;
  readonly errorType?: string;
  readonly hint?: string;
  /** The answer as it was recorded, for a call that repeats it. */
  readonly answer?: {
    readonly mode: string;
    readonly agent: string;
    readonly turn?: string;
    /** The answer to give, so that a restarted daemon can; never stored for a secret, and removed when it is done. */
    readonly given?: GivenAnswer;
  };
}

/** What a delivery brings: text and then Enter, or keys. */
export interface DeliveryContent {
  readonly text: string;
  readonly enter: boolean;
  readonly keys: readonly string[];
  /** Also over a half-typed draft. */
  readonly force: boolean;
  /** The agent is meant to take the text for a command of its own. */
  readonly command?: boolean;
}

export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** Only the hash is kept; the token itself is shown once. */
  readonly hash: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** A browser that is logged in to the dashboard, or a device that was paired. */
export interface LoginRecord {
  readonly id: string;
  /** What the browser calls itself, or what a person calls it. */
  readonly name: string;
  readonly scope: Scope;
  /** The token that it was made with; revoking the token ends the login. */
  readonly token?: string;
  /** It was confirmed at the terminal. */
  readonly paired?: true;
  /** What opens its sessions beside its key, where the address asks for one. */
  readonly passkeys?: readonly Passkey[];
  /** The public key that the browser made for it; absent in those of an earlier version, which are not valid. */
  readonly key?: string;
  /** Under which it was made; absent in those of an earlier version. One with TLS is valid only there. */
  readonly origin?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt?: number;
  readonly lastUsedFrom?: string;
  /** Where its browser gets notices while no page is open. */
  readonly push?: PushAddress;
}

/** What is kept of a passkey. */
export interface Passkey {
  /** The id of the credential, in base64url. */
  readonly id: string;
  /** COSE, in base64. */
  readonly key: string;
  /** Authenticators that count show by a number that does not grow that there is a second one like them. */
  readonly counter: number;
  readonly transports?: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

export interface AuditRecord {
  readonly at: number;
  readonly who: string;
  /** The name of the device behind `who`, if it has one. */
  readonly device?: string;
  readonly door: string;
  readonly operation: string;
  readonly subject: string;
  readonly outcome: string;
}

/** What a person allowed a repository to run. */
export interface TrustRecord {
  /** The git directory that all checkouts of the repository share. */
  readonly repository: string;
  readonly root: string;
  /** Newest last. A version that was trusted stays so, as for another branch. */
  readonly runs: readonly { readonly what: string; readonly digest: string }[];
  readonly by: string;
  readonly at: number;
}

/** What `undo` needs to bring a task back. */
export interface UndoRecord {
  readonly id: number;
  readonly at: number;
  readonly kind: "rm" | "reset";
  readonly task: TaskRecord;
  readonly rescue?: Rescue;
  /** Where the branch was, also if its base has all of it and nothing had to be kept. */
  readonly head?: string;
  /** Branch and worktree of the removed task may still be there: the next daemon removes them. */
  readonly leftover?: boolean;
}

/** What a worktree is restored from. */
export interface Kept {
  /** The last commit of the branch. */
  readonly head: string;
  /** A commit of all files as they were, if some were not committed. */
  readonly files?: string;
}

/** Commits that hold work which would otherwise be gone. Both are kept alive by refs under refs/paneward/rescue/. */
export interface Rescue extends Kept {
  readonly ref: string;
}
