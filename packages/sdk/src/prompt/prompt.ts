/** What the program at the end of its screen waits for. */
export interface Prompt {
  readonly kind: PromptKind;
  /** The question as shown. */
  readonly text: string;
  readonly options?: readonly PromptOption[];
  /** What Enter alone answers. */
  readonly default?: string;
  /** The rule that matched, for diagnosis. */
  readonly rule: string;
  readonly confidence: "sure" | "likely";
}

export type PromptKind = "confirm" | "password" | "press_key" | "menu" | "text" | "repl" | "pager" | "shell";

export interface PromptOption {
  /** The number or key as shown on the screen; arrow-key lists have none. */
  readonly key?: string;
  readonly label: string;
  /** The pointer is on it: Enter selects it. */
  readonly selected?: boolean;
  /** Its box is ticked, where several can be chosen. */
  readonly checked?: boolean;
}

/** Cursor position, counted from 0. */
export interface ScreenCursor {
  readonly row: number;
  readonly column: number;
}

/** A shell or a REPL waits for the next command, which counts as idle. Everything else needs an answer. */
export function isQuestion(prompt: Prompt): boolean {
  return prompt.kind !== "shell" && prompt.kind !== "repl";
}
