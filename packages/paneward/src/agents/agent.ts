import type { HookPhase } from "../model/agents/hook-order.ts";
import type { GivenAnswer } from "../model/answer.ts";
import type { DeliveryRules } from "../model/courier/delivery-plan.ts";
import type { Approval } from "./approval.ts";
import type { Decision } from "./hook-decision.ts";
import type { Hooked, HookFacts, InstallableHooks } from "./hook-settings.ts";
import type { HookPayload, Reading, ShownQuestion } from "./reading.ts";
import type { AgentRecordFile, ChosenSession } from "./record.ts";
import type { AgentServer } from "./server.ts";
import type { AgentStateFiles } from "./state-files.ts";

export type { HookSettings } from "./hook-settings.ts";
export type { Hooked, HookFacts, HookPayload, Reading, ShownQuestion };

/** All that Paneward knows about one coding agent. Pure: values in, values out. */
export interface Agent {
  readonly name: string;
  /** The command when the configuration names none. */
  readonly cmd: readonly string[];
  /** The command with the prompt where this agent takes it. */
  readonly withPrompt: (cmd: readonly string[], prompt: string) => readonly string[];
  /** A shell in an agent's place: a person works there. It takes no prompt and has no conversation. */
  readonly isShell?: boolean;
  /** The command that resumes an earlier conversation. */
  readonly resume?: (cmd: readonly string[], sessionId: string) => readonly string[];
  /** Variables of the caller's environment that this agent needs: keys, endpoints, its own settings. */
  readonly env: RegExp;
  /** The command with our hooks, without changing any file of the user's. */
  readonly withHooks?: (cmd: readonly string[], facts: HookFacts) => Hooked;
  /** The hooks that a user may install for agents that Paneward does not start. */
  readonly installableHooks?: InstallableHooks;
  /** What its screen shows; undefined when nothing on it is known. */
  readonly readScreen?: (view: ScreenView) => ScreenReading | undefined;
  readonly readTitle?: (title: string) => Reading | undefined;
  /** What a hook of this agent means; `event` is the agent's own name for it. */
  readonly readHook?: (event: string, payload: HookPayload) => HookReading | undefined;
  /** What a hook that waits for a permission prints; absent when its hooks cannot decide. */
  readonly hookDecision?: (decision: Decision, payload: HookPayload) => object;
  /** Hooks that name no agent are its own: they come from set-ups that knew no other agent. */
  readonly sendsUnnamedHooks?: boolean;
  /** Matches prompts that the agent generates itself. */
  readonly synthetic?: RegExp;
  /** The files that it writes about its processes. */
  readonly stateFiles?: AgentStateFiles;
  /** The files in which it writes its conversations. */
  readonly records?: readonly AgentRecordFile[];
  /** How it begins a conversation with a given id. */
  readonly session?: ChosenSession;
  /** The HTTP server that it runs on a given port. */
  readonly server?: AgentServer;
  /** How to type into its input line and its dialogs. */
  readonly submit: SubmitProfile;
  /** What its input line makes of a text, and how a text arrives as it is. */
  readonly deliver?: DeliveryRules;
  /**
   * The keys that switch what it does without asking, or that open where this is chosen, in tmux's names; empty or absent
   * where it has no such modes. A caller that may not approve cannot press them.
   */
  readonly modeKeys?: readonly string[];
  /** The keys that end its turn. */
  readonly interrupt?: readonly string[];
  /** How its dialogs name approval and denial. */
  readonly approval?: Approval;
  /** The keys that answer this question so; undefined when keys cannot. */
  readonly answer?: (question: ShownQuestion, answer: GivenAnswer) => readonly KeyStep[] | undefined;
}

/** A screen as tmux renders it, without escape sequences. */
export interface ScreenView {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface ScreenReading extends Reading {
  readonly question?: ShownQuestion;
  /** The text in the input line; empty when there is none, undefined when it cannot be seen. */
  readonly draft?: string;
  /** The input line is in shell mode: what is submitted runs as a command. */
  readonly inShell?: boolean;
}

export interface HookReading {
  /** What the agent does; absent for a hook that does not say. */
  readonly reading?: Reading;
  readonly question?: ShownQuestion;
  /** It asks several questions at once. A hook gives one decision for all of them, so they take keys. */
  readonly asksSeveral?: boolean;
  /** Where in a turn it fires, if that matters while a dialog is open. */
  readonly phase?: HookPhase;
  /** What a person typed or the agent printed in the conversation. */
  readonly turn?: { readonly actor: "user" | "agent"; readonly intent: TurnIntent; readonly text: string };
  /** The conversation began, ended, got another id while the agent stayed, or was announced again as it was. */
  readonly session?: "started" | "ended" | "renamed" | "kept";
  /** Why, as the agent names it: what the conversation began from, or what ended it. */
  readonly reason?: string;
}

export type TurnIntent = "command" | "answer" | "question" | "completion" | "progress" | "end_of_task";

export interface SubmitProfile {
  /** Between text and Enter. The configuration may lengthen it, never shorten it. */
  readonly textEnterDelayMs: number;
  /** Between keys. */
  readonly keyDelayMs: number;
  /** A dialog takes no keys this long after it appeared. */
  readonly dialogGraceMs: number;
  /** Paste even one line, as several lines always are: a typed `?` or `!` would be taken for a key. */
  readonly pasteLine?: boolean;
  /**
   * How it draws a long paste in its input line, once blanks are taken out. The groups are a count and its unit, `lines`
   * or `chars`; both are absent where it does not count.
   */
  readonly pasteMark?: RegExp;
  /** It adds a blank after the mark of a long paste, which would be submitted with it. */
  readonly blankAfterMark?: boolean;
}

export type KeyStep = { readonly keys: readonly string[] } | { readonly text: string } | { readonly pauseMs: number };
