/** A real agent as the lab runs it: its own home, the scripted model, none of the developer's settings. */
export interface LabAgent {
  readonly name: "claude" | "codex" | "gemini" | "opencode" | "pi";
  /** Writes the settings that select the scripted model and skip the questions of a first start. */
  readonly settle: (place: LabPlace) => void;
  readonly argv: (place: LabPlace) => readonly string[];
  readonly env: (place: LabPlace) => Readonly<Record<string, string>>;
  /** Keys that clear its input line. */
  readonly clear: readonly string[];
  /** What its screen shows when it is ready for a prompt. */
  readonly ready: RegExp;
  /** Its hooks: given at its start, allowed in its own dialog, or installed. */
  readonly hooks?: {
    readonly asks?: { readonly text: RegExp; readonly option: number };
    /** What `paneward hooks install` calls it. */
    readonly installed?: string;
  };
}

export interface LabPlace {
  readonly home: string;
  readonly project: string;
  readonly model: string;
}

/** The program that `scripts/setup.sh agents` installed. */
export function program(agent: string, bin = agent): string {
  return new URL(`../../../../../node_modules/.agents/${agent}/node_modules/.bin/${bin}`, import.meta.url).pathname;
}
