/** What a program at the end of its screen waits for. */
export interface Prompt {
  readonly kind: PromptKind;
  /** The question as shown. */
  readonly text: string;
  readonly options?: readonly PromptOption[];
  /** What a bare Enter answers. */
  readonly default?: string;
  /** Which rule matched, for people who ask why. */
  readonly rule: string;
  readonly confidence: "sure" | "likely";
}

export type PromptKind = "confirm" | "password" | "press_key" | "menu" | "text" | "repl" | "pager" | "shell";

export interface PromptOption {
  /** The number or key as it stands on the screen; lists moved by arrows have none. */
  readonly key?: string;
  readonly label: string;
  /** The pointer stands on it: Enter takes this one. */
  readonly selected?: boolean;
  /** Its box is ticked, where several can be chosen. */
  readonly checked?: boolean;
}

/** Where the cursor stands, both counted from 0. */
export interface ScreenCursor {
  readonly row: number;
  readonly column: number;
}

/** A shell or a REPL waits for the next command: that is idle. Everything else wants an answer. */
export function isQuestion(prompt: Prompt): boolean {
  return prompt.kind !== "shell" && prompt.kind !== "repl";
}
