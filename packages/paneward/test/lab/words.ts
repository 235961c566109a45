/** The prompts that bring a real agent into each situation, by the names of its own tools. */
export interface Words {
  /** A prompt that makes it ask for permission to run this; empty for an agent that never asks. */
  readonly run: (command: string) => string;
  /** What its screen shows while it asks for that permission. */
  readonly dialog?: RegExp;
  /** A prompt that makes it ask which color, for agents that can ask. */
  readonly ask?: string;
  /** What switches to the mode in which it can ask, for agents that have such a mode. */
  readonly askingMode?: string;
  /** In that mode: a prompt that makes it propose a plan, its question about it, and the text that the first option sends. */
  readonly plan?: { readonly prompt: string; readonly asks: string; readonly told: string };
  /** Commands of an extension that asks, each with an answer and what the extension then writes to the file `given`. */
  readonly commands?: readonly AskingCommand[];
  /** It is answered and interrupted over HTTP. */
  readonly overHttp?: boolean;
}

export interface AskingCommand {
  readonly command: string;
  readonly asks: string;
  readonly answer: { readonly option: number } | { readonly text: string };
  readonly given: unknown;
}
