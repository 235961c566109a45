/** One simple command of a shell text, as far as it can be known without running anything. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** The files that its input comes from. Files that it writes are left out. */
  readonly reads: readonly string[];
  /** Its output is the input of the next one. */
  readonly piped: boolean;
}

/** In a word: something that is known only when the command runs. */
export const unknown = "\u0000";

/** The values of a variable; several only for `$@` and `$*`. Asked for when its turn comes. */
export type Lookup = (name: string) => readonly string[] | undefined;

/**
 * Takes a shell text apart: words without their quotes, variables filled in, commands inside `$(…)` before the one they
 * are part of. Groups, loops and conditions are flattened: all of their commands come, whether or not they would run.
 */
export function* shellCommands(text: string, lookup: Lookup): Generator<ShellCommand> {
  yield* new Reader(text, lookup, 0).commands();
}

const maxDepth = 8;

class Reader {
  readonly #text: string;
  readonly #lookup: Lookup;
  readonly #depth: number;
  #at = 0;
  #words: string[] = [];
  #reads: string[] = [];
  #word: string | undefined;
  #redirected: "in" | "out" | undefined;

  constructor(text: string, lookup: Lookup, depth: number) {
    this.#text = text;
    this.#lookup = lookup;
    this.#depth = depth;
  }

  *commands(): Generator<ShellCommand> {
    while (this.#at < this.#text.length) {
      if (this.#skipped() || this.#quoted() || this.#redirection()) continue;
      const operator = this.#take(/&&|\|\||\|&|;;|[\n;&|()]/y)?.[0];
      if (operator !== undefined) yield* this.#endCommand(operator === "|" || operator === "|&");
      else yield* this.#partOfWord();
    }
    yield* this.#endCommand(false);
  }

  /** Comments, joined lines and the space between words. */
  #skipped(): boolean {
    if (this.#word === undefined && this.#take(/#[^\n]*/y)) return true;
    if (this.#take(/\\\n/y)) return true;
    if (!this.#take(/[^\S\n]+/y)) return false;
    this.#endWord();
    return true;
  }

  #quoted(): boolean {
    const text = (this.#take(/'([^']*)'?/y) ?? this.#take(/\\([\s\S]?)/y))?.[1];
    if (text !== undefined) this.#add(text);
    return text !== undefined;
  }

  *#partOfWord(): Generator<ShellCommand> {
    const next = this.#text[this.#at];
    if (this.#take(/"/y)) yield* this.#inQuotes();
    else if (this.#take(/[<>]\(/y)) yield* this.#nested(")");
    else if (next === "$" || next === "`") yield* this.#expansion();
    else this.#add(this.#text[this.#at++] ?? "");
  }

  *#inQuotes(): Generator<ShellCommand> {
    this.#add("");
    while (this.#at < this.#text.length && !this.#take(/"/y)) {
      const plain = this.#take(/[^"\\$`]+/y)?.[0] ?? this.#take(/\\([$`"\\])/y)?.[1];
      if (plain !== undefined) this.#add(plain);
      else if (this.#text[this.#at] === "\\") this.#add(this.#text[this.#at++] ?? "");
      else yield* this.#expansion();
    }
  }

  *#expansion(): Generator<ShellCommand> {
    if (this.#take(/\$\(\s*pwd\s*\)|`\s*pwd\s*`/y)) return this.#add(".");
    if (this.#take(/\$\(/y)) return yield* this.#nested(")");
    if (this.#take(/`/y)) return yield* this.#nested("`");
    const [whole, plain, braced, otherwise] =
      this.#take(/\$(?:(\w+|[@*])|\{(\w+|[@*])(?::?-([^{}]*))?\}|\{[^}]*\}?|[?#$!-])/y) ?? [];
    if (whole === undefined) return this.#add(this.#text[this.#at++] ?? "");
    const name = plain ?? braced;
    const values = (name === undefined ? undefined : this.#lookup(name)) ?? [otherwise ?? unknown];
    // Of several values each becomes a word, the first and last joined to what is beside them.
    for (const [index, value] of values.entries()) {
      if (index > 0) this.#endWord();
      this.#add(value);
    }
  }

  /** What is between the parentheses or backquotes runs too; its output is not known. */
  *#nested(end: ")" | "`"): Generator<ShellCommand> {
    const from = this.#at;
    this.#skipTo(end);
    const inner = new Reader(this.#text.slice(from, this.#at - 1), this.#lookup, this.#depth + 1);
    if (this.#depth < maxDepth) yield* inner.commands();
    this.#add(unknown);
  }

  #skipTo(end: ")" | "`"): void {
    for (let depth = 1; depth > 0 && this.#at <= this.#text.length; ) {
      if (this.#take(/'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]?/y)) continue;
      const char = this.#text[this.#at++];
      if (char === end) depth--;
      else if (char === "(" && end === ")") depth++;
    }
  }

  #redirection(): boolean {
    const operator = this.#take(/&>>?|(?:<<<|<<-?|<>|<&|<|>>|>\||>&|>)(?!\()/y)?.[0];
    if (operator === undefined) return false;
    // The number of a stream, as in `2>`.
    if (/^\d+$/.test(this.#word ?? "")) this.#word = undefined;
    this.#endWord();
    this.#redirected = operator === "<" || operator === "<>" ? "in" : "out";
    // The text behind <<< is input; it may be commands.
    if (operator === "<<<") this.#redirected = undefined;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (this.#redirected === undefined) this.#words.push(this.#word);
    else if (this.#redirected === "in") this.#reads.push(this.#word);
    this.#word = undefined;
    this.#redirected = undefined;
  }

  *#endCommand(piped: boolean): Generator<ShellCommand> {
    this.#endWord();
    this.#redirected = undefined;
    const command = { words: this.#words, reads: this.#reads, piped };
    this.#words = [];
    this.#reads = [];
    if (command.words.length + command.reads.length > 0) yield command;
  }
}
