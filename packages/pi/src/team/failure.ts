/** An error of a tool for the model and the person: a code, a sentence, and for tmux the command and its stderr. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: string;
  /** The sentence alone. */
  readonly sentence: string;

  constructor(
    code: string,
    message: string,
    details: { readonly command?: readonly string[]; readonly stderr?: string } = {},
  ) {
    super(JSON.stringify({ error: { code, message, ...details } }));
    this.code = code;
    this.sentence = message;
  }
}
