import { type Interpreter, interpreterOf, runsOf } from "./interpreters.ts";
import { type ShellCommand, shellCommands, unknown } from "./shell-commands.ts";

/** A file of the repository that a command names. */
export interface NamedFile {
  /** Below the folder it is in; may be a pattern of the shell's, such as `tools/*.sh`. */
  readonly path: string;
  /** In the repository's main checkout (`<root>`), not in the folder where the command works. */
  readonly inRoot: boolean;
  /** It runs whatever it is; else only if it may be run by itself. */
  readonly surely: boolean;
}

/** The files of the repository that a command could run: an argv, or a text for a shell. */
export function namedFiles(command: string | readonly string[]): readonly NamedFile[] {
  const found = new Found();
  if (typeof command === "string") found.text(command.replaceAll("<root>", root), [], true);
  else found.argv(command.map((word) => word.replaceAll("<root>", root)));
  return found.files();
}

const root = "\u0001";
const maxDepth = 8;
/** The rest is data; a command could name an interpreter thousands of times. */
const maxArgs = 100;
const maxFolders = 16;

class Found {
  readonly #surely = new Map<string, boolean>();
  /** The folders in which a command may work: a `cd` can fail, so each adds one. */
  #folders: readonly string[] = ["."];
  readonly #seen = new Set<string>();
  #depth = 0;

  files(): readonly NamedFile[] {
    return [...this.#surely].map(([key, surely]) => {
      const inRoot = key.startsWith(root);
      return { path: inRoot ? key.slice(root.length + 1) : key, inRoot, surely };
    });
  }

  argv(words: readonly string[]): void {
    // A whole word `$NAME` is the variable's value.
    this.#command(
      words.map((word) => (/^(?:\$\w+|<prompt>)$/.test(word) ? unknown : word)),
      true,
    );
  }

  /** `args` are what the text knows as `$0`, `$1` and so on. */
  text(text: string, args: readonly string[], surely: boolean): void {
    const key = JSON.stringify([text, args, surely]);
    if (this.#depth >= maxDepth || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#depth++;
    const variables = new Map<string, readonly string[]>([
      ["PWD", ["."]],
      ...["PANEWARD_ROOT", "AGENCY_ROOT"].map((name) => [name, [root]] as const),
      ...args.map((arg, at) => [String(at), [arg]] as const),
      ...["@", "*"].map((name) => [name, args.slice(1)] as const),
    ]);
    let pipeline: ShellCommand[] = [];
    for (const command of shellCommands(text, (name) => variables.get(name))) {
      pipeline.push({ ...command, words: this.#withoutAssignments(command.words, variables) });
      if (command.piped) continue;
      this.#pipeline(pipeline, surely);
      pipeline = [];
    }
    this.#pipeline(pipeline, surely);
    this.#depth--;
  }

  /** What is written into an interpreter runs. */
  #pipeline(commands: readonly ShellCommand[], surely: boolean): void {
    const last = commands.findLastIndex(({ words }) => words.some((word) => interpreterOf(word)));
    for (const [at, { words, reads }] of commands.entries()) {
      this.#command(words, surely);
      if (at < last) this.#note(words, true);
      if (at <= last) this.#note(reads, true);
    }
  }

  #withoutAssignments(words: readonly string[], variables: Map<string, readonly string[]>): readonly string[] {
    for (const [at, word] of words.entries()) {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      if (name !== undefined && value !== undefined) {
        variables.set(name, [value]);
        this.#note(value.split(/[\s=:]+/), startupVariables.test(name));
      } else if (!beforeCommands.has(word)) return words.slice(at);
    }
    return [];
  }

  #command(words: readonly string[], surely: boolean): void {
    const [first = "", ...rest] = words;
    this.#note([first], surely);
    if (first === "cd" || first === "pushd") this.#cd(rest.find((word) => !word.startsWith("-")));
    if (first === "." || first === "source") this.#note(rest, true);
    if (first === "eval") this.text(rest.join(" "), [], true);
    if (first === "trap") this.text(rest[0] ?? "", [], true);
    for (const [at, word] of words.entries()) {
      const kind = interpreterOf(word);
      if (kind) this.#interpreter(kind, words.slice(at + 1, at + 1 + maxArgs));
      if (at > 0) this.#note([word, word.slice(word.indexOf("=") + 1)], false);
      // Programs such as `watch` take a command as one word.
      if (/\s/.test(word)) this.text(word, [], false);
    }
  }

  #interpreter(kind: Interpreter, args: readonly string[]): void {
    const { files, textAt } = runsOf(kind, args);
    this.#note(files, true);
    if (textAt !== undefined) this.text(args[textAt] ?? "", args.slice(textAt + 1), true);
  }

  #cd(to: string | undefined): void {
    if (to === undefined) return;
    const here = this.#folders.at(-1) ?? ".";
    const added = [pathIn(here, to), pathIn(".", to)].filter((folder) => folder !== undefined);
    const [first = ".", ...others] = new Set([...this.#folders, ...added]);
    this.#folders = [first, ...others.slice(-maxFolders)];
  }

  #note(words: readonly string[], surely: boolean): void {
    for (const word of words) {
      for (const folder of this.#folders) {
        const path = pathIn(folder, word);
        if (path === undefined || path === "." || path === root) continue;
        this.#surely.set(path, surely || this.#surely.get(path) === true);
      }
    }
  }
}

/** Words after which a command begins. */
const beforeCommands = new Set([
  ...["if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "time", "done", "fi", "esac"],
  ...["export", "local", "readonly", "declare", "exec", "command", "builtin"],
]);

/** Variables whose value an interpreter runs or loads. */
const startupVariables = /^(?:BASH_ENV|ENV|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|LD_PRELOAD|LD_AUDIT|MAKEFILES)$/;

/** A path below the folder or the root, without `.`; undefined for one that leaves it or is not known. */
function pathIn(folder: string, word: string): string | undefined {
  if (word === "" || word.includes(unknown) || /^[-/~]/.test(word)) return undefined;
  const path = word.startsWith(root) ? word : `${folder}/${word}`;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  let depth = 0;
  for (const part of parts) {
    depth += part === ".." ? -1 : part === root ? 0 : 1;
    if (depth < 0) return undefined;
  }
  return parts.length === 0 ? "." : parts.join("/");
}
