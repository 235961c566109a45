import type { ServerAddress } from "../model/agents/agent-server.ts";
import type { GivenAnswer } from "../model/answer.ts";
import type { AskedNow, HookPayload, Reading } from "./reading.ts";
import type { AgentServer } from "./server.ts";

export type { AskedNow, HookPayload, Reading };

/** All that Paneward knows about one coding agent. Pure: what comes in is values, what goes out is values. */
export interface Agent {
  readonly name: string;
  /** The command when the configuration names none. */
  readonly cmd: readonly string[];
  /** The command with the prompt where this agent takes it. */
  readonly withPrompt: (cmd: readonly string[], prompt: string) => readonly string[];
  /** The command that goes on with an earlier conversation. */
  readonly resume?: (cmd: readonly string[], sessionId: string) => readonly string[];
  /** Variables of the caller's environment that this agent needs: keys, endpoints, its own settings. */
  readonly env: RegExp;
  /** The command with our hooks, given so that no file of the user's is touched. */
  readonly withHooks?: (cmd: readonly string[], facts: HookFacts) => Hooked;
  /** What its screen shows, or undefined when it shows nothing that is known. */
  readonly readScreen?: (view: ScreenView) => ScreenReading | undefined;
  readonly readTitle?: (title: string) => Reading | undefined;
  /** What a hook of this agent means; `event` is the agent's own name for it. */
  readonly readHook?: (event: string, payload: HookPayload) => HookReading | undefined;
  /** The HTTP server that it runs on a port which it was given. */
  readonly server?: AgentServer;
  /** How to bring text into its input line and keys into its dialogs. */
  readonly submit: SubmitProfile;
  /** The keys that end its turn. */
  readonly interrupt?: readonly string[];
  /** The keys that give this answer to this question; undefined when it cannot be given so. */
  readonly answer?: (question: AskedNow, answer: GivenAnswer) => readonly KeyStep[] | undefined;
}

/** How an agent that Paneward starts reaches the daemon. */
export interface HookFacts {
  /** A shell command line that takes a hook's JSON on stdin, tells it and ends at once. */
  readonly tell: string;
  /** The same, but it waits for the answer to a permission and prints it; nothing when nobody answers by this way. */
  readonly ask: string;
  /** A folder of this terminal's own, for agents that take their hooks from a file. */
  readonly folder: string;
  /** The user wants hooks also where the agent first asks whether they may run. */
  readonly evenIfAsked?: boolean;
  /** A free port on loopback and a password, for agents that are asked over HTTP. */
  readonly server?: ServerAddress;
}

/** Hooks by the agent's own event names, in the shape that Claude Code, Codex and Gemini share. */
export type HookSettings = Readonly<Record<string, readonly HookEntry[]>>;

export interface HookEntry {
  readonly hooks: readonly HookHandler[];
}

export interface HookHandler {
  readonly type: "command";
  readonly command: string;
  /** Seconds; milliseconds for Gemini. */
  readonly timeout: number;
  readonly name?: string;
}

export interface Hooked {
  readonly cmd: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What must be written below `folder` before the agent starts. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A screen as tmux renders it, without escape sequences. */
export interface ScreenView {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface ScreenReading extends Reading {
  readonly question?: AskedNow;
  /** What stands in the input line: empty when nobody has typed; undefined when it cannot be seen. */
  readonly draft?: string;
}

export interface HookReading {
  /** What it says about the agent; absent for a hook that only brings news. */
  readonly told?: Reading;
  readonly question?: AskedNow;
  /** Something was said. */
  readonly turn?: { readonly actor: "user" | "agent"; readonly intent: TurnIntent; readonly text: string };
  /** The conversation began, ended, or got another id while the agent stayed. */
  readonly session?: "started" | "ended" | "renamed";
  readonly reason?: string;
}

export type TurnIntent = "command" | "answer" | "question" | "completion" | "progress" | "end_of_task";

export interface SubmitProfile {
  /** Between text and Enter. The configuration may ask for more, never for less. */
  readonly textEnterDelayMs: number;
  /** Between keys. */
  readonly keyDelayMs: number;
  /** A dialog takes no keys this long after it appeared. */
  readonly dialogGraceMs: number;
  /** Paste even one line, as several lines always are: a typed `?` or `!` would be taken for a key. */
  readonly pasteLine?: boolean;
  /** It sets a blank behind the mark of a long paste, which would be submitted with it. */
  readonly blankAfterMark?: boolean;
}

export type KeyStep = { readonly keys: readonly string[] } | { readonly text: string } | { readonly pauseMs: number };
