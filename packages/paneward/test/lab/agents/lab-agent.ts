/** A real agent as the lab runs it: its own home, the scripted model, nothing of the developer's. */
export interface LabAgent {
  readonly name: string;
  /** Writes the settings that lead to the scripted model and past the questions of a first start. */
  readonly settle: (place: LabPlace) => void;
  readonly argv: (place: LabPlace) => readonly string[];
  readonly env: (place: LabPlace) => Readonly<Record<string, string>>;
  /** What its screen shows when it takes a prompt. */
  readonly ready: RegExp;
  /** It tells by hooks what it does: as it was started, once it is allowed in its own dialog, or once they are installed. */
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
