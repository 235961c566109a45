/** What a real agent needs to be asked for, in its own tools' words. */
export interface Words {
  /** A prompt that makes it ask for leave to run this; empty for an agent that asks for none. */
  readonly run: (command: string) => string;
  /** What stands on the screen while it asks for that leave. */
  readonly dialog?: RegExp;
  /** A prompt that makes it ask which color, where it can. */
  readonly ask?: string;
  /** What brings it into the mode in which it asks, where it does so in one only. */
  readonly askingMode?: string;
  /** There: a prompt that makes it propose a plan, how it asks about that, and what it is told when the first option is taken. */
  readonly plan?: { readonly prompt: string; readonly asks: string; readonly told: string };
  /** Commands of an extension that ask, each with an answer and what the extension then notes in the file `given`. */
  readonly commands?: readonly AskingCommand[];
  /** Keys that empty its input line. */
  readonly clear: readonly string[];
  /** It is answered and interrupted over HTTP. */
  readonly overHttp?: boolean;
}

export interface AskingCommand {
  readonly command: string;
  readonly asks: string;
  readonly answer: { readonly option: number } | { readonly text: string };
  readonly given: unknown;
}
