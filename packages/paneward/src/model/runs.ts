/** Something that a repository's files make Paneward run. */
export interface Run {
  /** A key of its configuration, or a file below its top folder. */
  readonly what: string;
  readonly text: string;
  /** Of its exact content. */
  readonly digest: string;
}

/** An argv as one line for a shell: every word that is not plain is quoted, except what Paneward replaces. */
export function commandLine(argv: readonly string[]): string {
  return argv.map((word) => (isPlain(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

function isPlain(word: string): boolean {
  return /^(?:<prompt>|\$[A-Za-z_]\w*|(?:[\w@%+=:,./-]|<root>)+)$/.test(word);
}

/** A text in which nothing can hide: escape sequences and invisible or reordering characters become codes. */
export function visibleText(text: string): string {
  const shown = text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
  return shown.length <= maxShown
    ? shown
    : `${shown.slice(0, maxShown)}\n… and ${shown.length - maxShown} more characters`;
}

/** As much as a person is shown of one thing. */
export const maxShown = 20_000;
