/** What a real agent needs to be asked for, in its own tools' words. */
export interface Words {
  /** A prompt that makes it ask for leave to run this; empty for an agent that asks for none. */
  readonly run: (command: string) => string;
  /** What stands on the screen while it asks for that leave. */
  readonly dialog?: RegExp;
  /** A prompt that makes it ask which color, where it can. */
  readonly ask?: string;
  /** Keys that empty its input line. */
  readonly clear: readonly string[];
  /** Keys that stop it at its work; Escape where nothing is said. */
  readonly interrupt?: readonly string[];
}
