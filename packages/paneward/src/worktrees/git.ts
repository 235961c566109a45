import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, PanewardError } from "@paneward/sdk";

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `latin1` keeps every byte of a path that is not UTF-8. */
  readonly encoding?: "utf8" | "latin1";
}

export interface GitAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The output was cut off at the limit. */
  readonly cut: boolean;
}

/** Runs git and returns its output; throws if it fails. */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const answer = await tryGit(folder, args, options);
  if (answer.code !== 0) throw gitFailure(folder, args, answer);
  return answer.out;
}

/** Like `git`, for a single line. */
export async function gitLine(folder: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await git(folder, args, options)).replace(/\n$/, "");
}

/** Runs git where failing is a normal outcome. Throws only if git could not run at all. */
export function tryGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  const encoding = options.encoding ?? "utf8";
  const child = execFile(
    "git",
    [...commonOptions, ...args],
    { cwd: folder, env: gitEnvironment(folder, options.env), encoding, maxBuffer: 64 * 1024 * 1024 },
    (error, out, err) => {
      const cut = error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      if (error?.code === "ENOENT") reject(couldNotRun(folder, error));
      else resolve({ code: exitCodeOf(error), out, err, cut });
    },
  );
  // git may exit before it has read all input; its exit code is the outcome.
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input ?? "", encoding);
  return promise;
}

export function gitFailure(folder: string, args: readonly string[], answer: GitAnswer): PanewardError {
  const reason = answer.err.trim() || `it exited with code ${answer.code}`;
  const known = knownFailures.find(({ pattern }) => pattern.test(reason));
  const details = { cause: new Error(`git ${args.join(" ")}\n${answer.err}`) };
  const message = `git ${verbOf(args)} failed in ${folder}: ${reason}`;
  return new PanewardError(known?.code ?? "unexpected", message, known ? { ...details, hint: known.hint } : details);
}

/** Splits output of `-z`. */
export function pieces(out: string): readonly string[] {
  return out.split("\0").filter((piece) => piece !== "");
}

const commonOptions = ["-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false"];

// Set when a daemon is started from a git hook; they would point git to another repository.
const dropped =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|INDEX_VERSION|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX|NAMESPACE|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|GRAFT_FILE|SHALLOW_FILE|EXTERNAL_DIFF|DIFF_OPTS|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/;

export function gitEnvironment(folder: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !dropped.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    // Reading must not take the index lock: an agent works in the same folder.
    GIT_OPTIONAL_LOCKS: "0",
    // Otherwise git climbs out of a worktree that lost its `.git` and finds another repository.
    GIT_CEILING_DIRECTORIES: dirname(folder),
    ...extra,
  };
}

function exitCodeOf(error: { readonly code?: unknown } | null): number {
  if (!error) return 0;
  return typeof error.code === "number" ? error.code : 128;
}

function couldNotRun(folder: string, cause: Error): PanewardError {
  if (!existsSync(folder)) {
    return new PanewardError("not_found", `the folder ${folder} does not exist`, { cause, hint: "check the path" });
  }
  return new PanewardError("unavailable", "git was not found on the PATH of the daemon", {
    cause,
    hint: "install git, then try again; `paneward doctor` shows what else is missing",
  });
}

function verbOf(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c");
  return args[at] ?? "";
}

const knownFailures: readonly { readonly pattern: RegExp; readonly code: ErrorCode; readonly hint: string }[] = [
  { pattern: /No space left on device|Disk quota exceeded/, code: "storage_full", hint: "free some disk space" },
  {
    pattern: /dubious ownership/,
    code: "not_allowed",
    hint: "the repository belongs to another user; `git config --global --add safe.directory FOLDER` trusts it",
  },
  { pattern: /' already exists/, code: "wrong_state", hint: "something is in the way: check it and move it elsewhere" },
  {
    pattern: /not a git repository/,
    code: "not_found",
    hint: "run `git init`, or change to a repository",
  },
  {
    pattern: /Unable to create '.*\.lock'|cannot lock ref|could not lock/i,
    code: "unavailable",
    hint: "another git command is running there; try again",
  },
];
