/** One thing that `paneward init` sets up: what it finds, what it would change, how it is made and how it is taken back. */
export interface Step {
  /** As in the record of what was made; never changes. */
  readonly name: string;
  look(): Promise<Look>;
  /** How something that `make` made before would be taken back now. */
  back(made: Made): Promise<Back>;
}

export type Look =
  | { readonly state: "in place" | "not possible"; readonly detail: string }
  | { readonly state: "missing" | "damaged"; readonly offer: Offer };

export interface Offer {
  /** What it is good for. */
  readonly why: string;
  /** What would be changed, a sentence for each. */
  readonly says: readonly string[];
  readonly edits: readonly Edit[];
  /** What is left to do afterwards. */
  readonly advice?: string;
  /** Nobody else can do it: `--yes` does not. */
  readonly needsPerson?: true;
  /** What must succeed before anything else is done; where it fails, nothing was. */
  first?(): Promise<void>;
  /** What to record of it. */
  readonly firstMakes?: Pick<Made, "linger">;
  /** How the files are written, where that is more than writing them. */
  write?(): Promise<void>;
  /** What to record of what is not a file, where that is known before. */
  readonly makes?: Pick<Made, "service">;
  /** Makes what is not a file, and returns what to record of it. */
  make?(): Promise<{ readonly login: string } | undefined>;
}

/** A file as it is and as it would be; undefined: there is none. */
export interface Edit {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer;
  /** The part of the new text that is ours, for files that others write, too. */
  readonly added?: string;
}

/** What was made, as the record keeps it. */
export interface Made {
  readonly step: string;
  readonly by: "init" | "completion" | "service";
  readonly at: number;
  readonly file?: MadeFile;
  readonly login?: string;
  /** The user for whom lingering was switched on. */
  readonly linger?: string;
  readonly service?: { readonly wasEnabled: boolean };
}

export interface MadeFile {
  readonly path: string;
  /** What was in it, in base64; null: there was no file. */
  readonly before: string | null;
  readonly hashBefore: string | null;
  readonly hashAfter: string;
  readonly added?: string;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

export interface Back {
  /** `left`: only a person can do it, and `says` what. `gone`: it is not there any more. */
  readonly kind: "restored" | "removed our part" | "gone" | "left";
  readonly says: string;
  perform(): Promise<void>;
}
