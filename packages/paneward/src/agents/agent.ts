/** How to run one coding agent. Pure: what comes in is values, what goes out is an argv. */
export interface Agent {
  readonly name: string;
  /** The command when the configuration names none. */
  readonly cmd: readonly string[];
  /** The command with the prompt where this agent takes it. */
  readonly withPrompt: (cmd: readonly string[], prompt: string) => readonly string[];
  /** Variables of the caller's environment that this agent needs: keys, endpoints, its own settings. */
  readonly env: RegExp;
}
