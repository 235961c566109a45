import type { Key } from "./keys.ts";
import type { AgentKind, Manners } from "./kinds.ts";

/** The input line for prompts. */
export class InputLine {
  readonly #kind: AgentKind;
  readonly #manners: Manners;
  readonly #onSwallowed: () => void;
  #pastes: string[] = [];
  #lastTextAt = 0;
  /** As it is drawn: a long paste is shown as a mark. */
  draft = "";

  constructor(kind: AgentKind, manners: Manners, onSwallowed: () => void) {
    this.#kind = kind;
    this.#manners = manners;
    this.#onSwallowed = onSwallowed;
  }

  insert(key: Extract<Key, { kind: "text" | "paste" }>): void {
    this.#lastTextAt = Date.now();
    const lines = key.text.split("\n").length;
    if (key.kind === "text" && this.draft === "" && this.#manners.bangIsShell && key.text.includes("!"))
      this.draft = "!";
    if (key.kind === "text" || lines <= this.#manners.pasteLines) this.draft += key.text;
    else {
      this.#pastes.push(key.text);
      this.draft += this.#manners.pasteMark(this.#pastes.length, key.text);
      if (this.#kind === "opencode") this.draft += " ";
    }
  }

  /** Returns the prompt if the key submits one. */
  press(name: Extract<Key, { kind: "named" }>["name"]): string | undefined {
    if (name === "Newline") this.draft += "\n";
    else if (name === "Backspace") this.draft = this.draft.slice(0, -1);
    else if (name === "ClearLine" || name === "Interrupt") this.clear();
    return name === "Enter" ? this.#enter() : undefined;
  }

  clear(): void {
    this.draft = "";
    this.#pastes = [];
  }

  #enter(): string | undefined {
    if (this.draft.trim() === "") return undefined;
    if (Date.now() - this.#lastTextAt < this.#manners.pasteBurstMs) {
      this.#onSwallowed();
      this.draft += "\n";
      return undefined;
    }
    const prompt = this.#unfolded();
    this.clear();
    return prompt;
  }

  // A mark stands for the whole text that was pasted.
  #unfolded(): string {
    const whole = this.#pastes.reduce(
      (text, pasted, at) => text.replace(this.#manners.pasteMark(at + 1, pasted), () => pasted),
      this.draft,
    );
    if (this.#kind === "opencode") return whole;
    return this.#kind === "claude" ? whole.trimEnd() : whole.trim();
  }
}
