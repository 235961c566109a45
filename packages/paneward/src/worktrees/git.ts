import { dirname } from "node:path";
import { type ErrorCode, PanewardError } from "@paneward/sdk";
import { type GitDirs, type Guards, guardOf } from "./guard.ts";
import { couldNotRun, type GitAnswer, plainEnvironment, runGit } from "./run-git.ts";
import { noteRunning } from "./running-git.ts";

/** A folder with files of a repository, and where git finds what belongs to it. */
export interface GitPlace extends GitDirs {
  readonly folder: string;
  readonly guards: Guards;
  /** A guard with a HEAD of its own. */
  readonly own?: string;
}

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `latin1` keeps every byte of a path that is not UTF-8. */
  readonly encoding?: "utf8" | "latin1";
  /** git is ended when it has printed more; the answer is cut off there. */
  readonly maxLength?: number;
}

/** Runs git and returns its output; throws if it fails. */
export async function git(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const answer = await tryGit(place, args, options);
  if (answer.code !== 0) throw gitFailure(place, args, answer);
  return answer.out;
}

/** Like `git`, for a single line. */
export async function gitLine(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await git(place, args, options)).replace(/\n$/, "");
}

/** Runs git where failing is a normal outcome. Throws if git could not run, or the system refused it what it needs. */
export async function tryGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const { env, ...rest } = options;
  try {
    const index = env?.GIT_INDEX_FILE;
    const own = [...(place.own === undefined ? [] : [place.own]), ...(index === undefined ? [] : [dirname(index)])];
    const answer = await runGit(args, {
      ...{ cwd: place.folder, env: await gitEnvironment(place, env) },
      onStart: (pid) => {
        for (const folder of own) noteRunning(folder, pid);
      },
      ...rest,
    });
    if (answer.late) throw tooLate(place, args);
    if (answer.code !== 0 && refusals.some(({ pattern }) => pattern.test(answer.err)))
      throw gitFailure(place, args, answer);
    return answer;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? couldNotRun(place.folder, error as Error) : error;
  }
}

export async function gitEnvironment(
  place: GitPlace,
  extra: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  return {
    ...plainEnvironment(),
    GIT_DIR: place.own ?? (await guardOf(place.guards, place)).folder,
    GIT_WORK_TREE: place.folder,
    // What these hold and runs nothing is in the guard's configuration.
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    ...extra,
  };
}

export function gitFailure({ folder }: GitPlace, args: readonly string[], answer: GitAnswer): PanewardError {
  const ended = answer.cut ? "it printed more than 64 MiB" : `it exited with code ${answer.code}`;
  const reason = answer.err.trim() || ended;
  const { code, hint } = knownFailures.find(({ pattern }) => pattern.test(reason)) ?? unknownFailure(folder);
  const message = `git ${verbOf(args)} failed in ${folder}: ${mainLineOf(reason)}`;
  return new PanewardError(code, message, { hint, cause: new Error(`git ${args.join(" ")}\n${answer.err}`) });
}

/** git may warn above the line that says what is wrong, and adds advice for its own commands below it. */
function mainLineOf(reason: string): string {
  const lines = reason.split("\n");
  return lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? "";
}

/** An agent can bring a repository into any state; what git says about it is for the user, not a fault of the daemon. */
function unknownFailure(folder: string): { readonly code: ErrorCode; readonly hint: string } {
  return { code: "wrong_state", hint: `\`git status\` and \`git fsck\` in ${folder} show what git objects to` };
}

/** The number that git printed. Anything else would spoil every answer that contains it. */
export function countIn({ folder }: GitPlace, args: readonly string[], out: string): number {
  if (/^\d{1,15}\n?$/.test(out)) return Number(out);
  const { code, hint } = unknownFailure(folder);
  throw new PanewardError(code, `git ${verbOf(args)} in ${folder} printed no number`, { hint });
}

/** Splits output of `-z`. */
export function pieces(out: string): readonly string[] {
  return out.split("\0").filter((piece) => piece !== "");
}

function tooLate({ folder, gitDir }: GitPlace, args: readonly string[]): PanewardError {
  return new PanewardError("unavailable", `git ${verbOf(args)} did not end in ${folder} and was killed`, {
    hint: `a FIFO in place of a file, or a disk that does not answer, can hold it up: look in ${folder} and ${gitDir}`,
  });
}

function verbOf(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c");
  return args[at] ?? "";
}

interface KnownFailure {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly hint: string;
}

/** No answer to what git was asked: neither yes nor no. */
const refusals: readonly KnownFailure[] = [
  { pattern: /: (No space left on device|Disk quota exceeded)$/m, code: "storage_full", hint: "free some disk space" },
  {
    pattern:
      /: (Resource temporarily unavailable|Cannot allocate memory|Too many open files( in system)?)$|out of memory/im,
    code: "unavailable",
    hint: "the system limits processes, memory and open files: end what is not needed, then try again",
  },
  { pattern: /: Read-only file system$/m, code: "unavailable", hint: "make it writable, then try again" },
];

const knownFailures: readonly KnownFailure[] = [
  ...refusals,
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
