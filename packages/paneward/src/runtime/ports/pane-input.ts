import type { PanePlace } from "../../model/records.ts";

/**
 * Text and keys into panes. Only the typist (`runtime/courier/typist.ts`) holds this port, so that nothing is typed beside
 * its queue.
 */
export interface PaneInput {
  /** Types text, or pastes it. The mark is left in the pane by the same command: both happen, or neither. */
  type(host: string, place: PanePlace, text: string, options: TypingOptions): Promise<void>;
  /** Presses keys one after the other; the mark is left with each. `pause` is called between two of them. */
  press(host: string, place: PanePlace, keys: readonly string[], options: PressingOptions): Promise<void>;
  /** Keys as a terminal sends them, escape sequences included. Leaves copy mode. */
  raw(host: string, place: PanePlace, bytes: string): Promise<void>;
  /** Empties the screen and what has scrolled away. */
  clear(host: string, place: PanePlace): Promise<void>;
}

export interface TypingOptions {
  readonly mark?: string;
  /** Brackets one line too, or if the program requested that; text of several lines always if it did. */
  readonly paste?: boolean | "if asked";
  /** Characters in front of the text and keys behind it; all of it reaches the pane, or nothing. */
  readonly before?: string;
  readonly keys?: readonly string[];
}

export interface PressingOptions {
  readonly mark?: string;
  readonly pause: () => Promise<void>;
}
