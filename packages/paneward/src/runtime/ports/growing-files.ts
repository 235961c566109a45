/** Files to which other programs append lines, such as an agent's record of its conversation. */
export interface GrowingFiles {
  /** The files of this pattern, names that sort last first; `*` stands for any part of a name. Links are not followed. */
  find(pattern: string): Promise<readonly FoundFile[]>;
  /** What `plan` asks for, given the file at the path now. Undefined when there is none, or nothing is asked for. */
  read(
    path: string,
    plan: (now: { readonly file: string; readonly size: number }) => { offset: number; length: number } | undefined,
  ): Promise<Uint8Array | undefined>;
  /** Reports changes in a folder, until stopped. */
  watch(folder: string, onChange: () => void): { stop(): void };
}

export interface FoundFile {
  readonly path: string;
  readonly changedAt: number;
}
