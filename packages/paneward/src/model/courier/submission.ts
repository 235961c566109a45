import type { Question } from "@paneward/sdk";
import type { DeliveryContent } from "../records.ts";
import { notUnderstoodMs, swallowedMs, textDrawnMs, textNeverDrawnMs } from "../timing.ts";
import { holdsOurs, isBeginning, isOurs } from "./draft.ts";

/** What is drawn, as tmux renders it, and the title that the program gave its terminal. */
export interface DrawnScreen {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly title: string;
}

/** What a look at a terminal shows that matters for typing into it. */
export interface Sight {
  /** A person scrolls: keys would be commands of tmux. */
  readonly inMode: boolean;
  /** What is typed is not echoed: a secret. */
  readonly hidden?: boolean;
  /** The program is a coding agent, and its dialogs take Enter for a yes. */
  readonly isAgent: boolean;
  readonly question?: Pick<Question, "kind" | "text" | "whole" | "doubt" | "reported"> & {
    /** The lines by which it is recognised. */
    readonly region?: string;
    readonly drawn?: { readonly columns: number; readonly text: string };
  };
  /** The text in the input line; undefined when that cannot be seen. */
  readonly draft?: string;
  /** Its input line is known: when it cannot be seen, the screen may be half drawn. */
  readonly hasLine?: boolean;
  /** Its screen is not understood, so no input line will ever be seen. */
  readonly isForeign?: boolean;
  /** Nothing is on the screen. */
  readonly isBlank?: boolean;
  /** It waits for a line, or takes keys under a screen that has text: nothing of its start is left to wait for. */
  readonly takes?: "line" | "keys";
  /** The input line is the agent's shell: what is submitted there runs as a command. */
  readonly inShell?: boolean;
  /** It works: a dialog may open at any moment. */
  readonly working?: boolean;
  /** A turn of the agent is under way, by its screen or by its own reports. */
  readonly inTurn?: boolean;
  /** How this program draws a long paste in its input line, if it does. */
  readonly pasteMark?: RegExp | undefined;
  /** What this program loses if it gets it while it works. */
  readonly lostAtWork?: RegExp | undefined;
  /** The whole screen. */
  readonly screen?: DrawnScreen;
}

/** What is typed now must not be kept. */
export function isSecret({ hidden, question }: Sight): boolean {
  return hidden === true || question?.kind === "password";
}

/** A look between two frames, which must be repeated: agents clear their input line and draw it again. */
export function isTorn({ hasLine, isForeign, draft, question }: Sight, forMs: number): boolean {
  if (isForeign) return false;
  return hasLine === true && draft === undefined && question === undefined && forMs < textDrawnMs;
}

/**
 * Whether a screen on which no look of this run found anything known is one that is not understood: of another program with
 * the agent's name, or of another version. An agent that starts waits for no line; it may take keys before it draws.
 */
export function isNotUnderstood(
  { takes, draft, question }: Sight,
  { forMs, ageMs }: { readonly forMs: number; readonly ageMs: number },
): boolean {
  if (takes === undefined || draft !== undefined || question !== undefined) return false;
  return forMs >= notUnderstoodMs[takes] && (takes === "line" || ageMs >= textDrawnMs);
}

/** Why something cannot be typed now, and what would change that. */
export interface Obstacle {
  readonly reason: string;
  readonly release: string;
}

/** Undefined when it can be typed. */
export function obstacle(sight: Sight, wish: Pick<DeliveryContent, "text" | "keys" | "force">): Obstacle | undefined {
  if (sight.inMode) return { reason: "the pane is in copy mode", release: leaveCopyMode };
  if (wish.keys.length > 0) return undefined;
  if (isGuarded(sight)) return { reason: `it asks: ${short(sight.question?.text ?? "")}`, release: answerIt };
  if (isCovered(sight) && wish.text !== "") {
    return { reason: `it shows no input line: ${short(sight.question?.text ?? "")}`, release: leaveIt };
  }
  if (!wish.force && sight.working && sight.lostAtWork?.test(wish.text)) {
    return { reason: "it works, and loses a text that begins like this meanwhile", release: "its turn ends" };
  }
  if (!wish.force && sight.isAgent && (sight.draft ?? "").trim() !== "") {
    // What is sent with --force now comes behind what is held.
    const release = "the draft is submitted or deleted, in the terminal or by `send --key`";
    return { reason: `its input line holds a draft: ${short(sight.draft ?? "")}`, release };
  }
  return undefined;
}

/**
 * An agent whose screen is known shows no input line for long: it draws nothing yet, shows something else, or draws it wrongly.
 * A draft of a person may be there.
 */
export function unseenLine(
  sight: Sight,
  { text, force }: Pick<DeliveryContent, "text" | "force">,
  forMs: number,
): Obstacle | undefined {
  if (text === "" || force || !isTorn(sight, 0) || forMs < textDrawnMs) return undefined;
  return { reason: "its input line cannot be seen", release: "its screen shows the input line" };
}

const leaveCopyMode = "copy mode is left: q in the attached terminal";
const leaveIt = "the question is answered with `paneward respond ID`, or left with `paneward send ID --key Escape`";
const answerIt = "the question is answered: `paneward questions`, `paneward respond ID`";

/** Something else than its input line takes what is typed: a question for words, or a panel such as Claude Code's `/help`. */
function isCovered({ isAgent, hasLine, isForeign, draft, question }: Sight): boolean {
  return isAgent && hasLine === true && !isForeign && draft === undefined && question?.kind === "text";
}

/** A hook reports a dialog before it is drawn: what is typed in between would land in it. */
export function withUndrawn(sight: Sight, reported: Pick<Question, "kind" | "text" | "screenHash"> | undefined): Sight {
  return sight.question || reported?.screenHash !== "" ? sight : { ...sight, question: reported };
}

/** A dialog of an agent is open: text and Enter would answer it, whatever the text says. */
export function isGuarded({ isAgent, question, hasLine }: Sight): boolean {
  if (!isAgent || question === undefined) return false;
  // Whether to trust a folder or hooks is a dialog too; `(y/n)` of an unknown program is answered by text.
  return guarded.has(question.kind) || (question.kind === "confirm" && hasLine === true);
}

const guarded: ReadonlySet<Question["kind"]> = new Set(["permission", "plan", "choice", "multi_choice"]);

export type BeforeEnter =
  | { readonly kind: "press" }
  | ({ readonly kind: "wait" } & Partial<Obstacle>)
  | { readonly kind: "gone" }
  | { readonly kind: "lost" };

/** The text was typed: may Enter follow? */
export function beforeEnter(
  sight: Sight,
  wish: DeliveryContent,
  { sinceTypedMs, seenOurs }: { readonly sinceTypedMs: number; readonly seenOurs: boolean },
): BeforeEnter {
  if (sight.inMode) return { kind: "wait", reason: "typed; the pane is in copy mode", release: leaveCopyMode };
  if (isGuarded(sight)) {
    return { kind: "wait", reason: `typed; it asks: ${short(sight.question?.text ?? "")}`, release: answerIt };
  }
  const { draft } = sight;
  if (wish.text.trim() !== "" && isTorn(sight, sinceTypedMs)) return { kind: "wait" };
  if (draft === undefined || wish.text.trim() === "" || isOurs(draft, wish.text, sight.pasteMark))
    return { kind: "press" };
  if (draft.trim() === "") {
    if (seenOurs) return { kind: "gone" };
    return sinceTypedMs < textDrawnMs ? { kind: "wait" } : { kind: "lost" };
  }
  if (wish.force && holdsOurs(draft, wish.text)) return { kind: "press" };
  if (isBeginning(draft, wish.text) && sinceTypedMs < textDrawnMs) return { kind: "wait" };
  const release = "the other text is deleted from the input line";
  return { kind: "wait", reason: "typed; the input line also contains other text", release };
}

/**
 * Whether a text that was typed will not appear any more. A program that has drawn nothing since, or still draws, may be
 * loading a long conversation: it takes its input later.
 */
export function isLost(facts: {
  readonly hasDrawn: boolean;
  readonly quietMs: number;
  readonly sinceTypedMs: number;
}): boolean {
  return facts.sinceTypedMs >= textNeverDrawnMs || (facts.hasDrawn && facts.quietMs >= textDrawnMs);
}

export type AfterEnter =
  | { readonly kind: "acknowledged"; readonly by: string }
  | { readonly kind: "press" }
  /** The text left the input line. That alone is no witness: a person may have deleted it. */
  | { readonly kind: "left" }
  | { readonly kind: "wait" };

/** Enter was pressed: what became of the text? */
export function afterEnter(
  sight: Sight,
  wish: DeliveryContent,
  facts: {
    readonly sincePressMs: number;
    readonly presses: number;
    readonly printed: boolean;
    /** Since the last press. */
    readonly printedSince: boolean;
  },
): AfterEnter {
  const { draft } = sight;
  const takesCommand = wish.command === true || wish.text.trim() === "";
  if (isGuarded(sight)) return takesCommand ? { kind: "acknowledged", by: "it asks something" } : { kind: "left" };
  if (isTorn(sight, facts.sincePressMs)) return { kind: "wait" };
  // A program without an input line that is known: its echo shows that it got the line.
  if (!sight.hasLine || (sight.isForeign && draft === undefined) || wish.text.trim() === "") {
    return facts.printed ? { kind: "acknowledged", by: "it printed something" } : { kind: "wait" };
  }
  if (draft === undefined) return { kind: "left" };
  if (isOurs(draft, wish.text, sight.pasteMark)) {
    // A program that took Enter for a part of the paste still shows our text: only then may Enter be pressed again. One
    // that printed nothing since has not come to the key yet.
    const isSwallowed = facts.printedSince && facts.sincePressMs >= swallowedMs * facts.presses;
    const again = facts.presses < (wish.command ? maxCommandPresses : maxPresses) && isSwallowed && !sight.inMode;
    return again ? { kind: "press" } : { kind: "wait" };
  }
  if (holdsOurs(draft, wish.text)) return { kind: "wait" };
  // A command of the agent makes no prompt that anything could report.
  return takesCommand ? { kind: "acknowledged", by: "its input line took the command" } : { kind: "left" };
}

const maxPresses = 6;
/** opencode's list of commands takes one for itself. A command that the agent does not know stays in the line: Codex says so each time. */
const maxCommandPresses = 3;

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
