import { type ExecFileException, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { PanewardError, systemFailure } from "@paneward/sdk";
import { gitAnswers } from "./git-answers.ts";

export interface GitAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The output was cut off at the limit. */
  readonly cut: boolean;
  /** It did not end in time and was killed. */
  readonly late: boolean;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** `latin1` keeps every byte of a path that is not UTF-8. */
  readonly encoding?: "utf8" | "latin1";
  readonly maxLength?: number;
  readonly limitMs?: number;
  readonly onStart?: (pid: number) => void;
  /** After this time, git is asked beside the call whether it answers at all. */
  readonly askAfterMs?: number;
  readonly answerMs?: number;
}

/** Runs git with exactly this environment. Throws only if git could not run at all, or does not answer anybody. */
export function runGit(args: readonly string[], options: RunOptions): Promise<GitAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  const { cwd, env, input = "", encoding = "utf8", limitMs = patienceMs, maxLength = maxPrinted } = options;
  const abort = new AbortController();
  const asking = setTimeout(async () => {
    if (!(await gitAnswers(env, options.answerMs))) abort.abort();
  }, options.askAfterMs ?? askAfterMs);
  const child = execFile(
    "git",
    [...fixedOptions, ...args],
    { cwd, env, encoding, maxBuffer: maxLength, timeout: limitMs, killSignal: "SIGKILL", signal: abort.signal },
    (error, out, err) => {
      clearTimeout(asking);
      if (abort.signal.aborted) return reject(silent());
      const cut = error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      const late = error?.killed === true && !cut;
      if (isOfSystem(error) || (error?.signal && !late && !cut)) reject(notRun(cwd, error));
      else resolve({ code: exitCodeOf(error), out, err, cut, late });
    },
  );
  if (child.pid !== undefined) options.onStart?.(child.pid);
  // git may exit before it has read all input; its exit code is the outcome.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input, encoding);
  return promise;
}

/** An agent can hold git up for ever, for instance with a FIFO in place of a file that git opens. */
const patienceMs = 300_000;
const maxPrinted = 64 * 1024 * 1024;
/** To copy much takes long. A git that hangs as a program, as on a disk that is away, is recognized sooner. */
const askAfterMs = 4_000;

/**
 * Stands above every configuration file, and is passed on to the git that git itself starts in a submodule. Each of these
 * can name a program, or make git load or fetch what it was not asked for.
 */
export const fixedOptions: readonly string[] = Object.entries({
  "core.quotePath": "false",
  "core.fsmonitor": "false",
  // A part of an index that names files without a look at the disk.
  "core.untrackedCache": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.editor": "true",
  "sequence.editor": "true",
  "core.askPass": "",
  "core.sshCommand": "ssh",
  "credential.helper": "",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "push.gpgSign": "false",
  "merge.verifySignatures": "false",
  "log.showSignature": "false",
  "gpg.program": "false",
  "diff.autoRefreshIndex": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "protocol.ext.allow": "never",
  "init.templateDir": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
}).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

/** The daemon's environment without what directs git elsewhere or names a program for it. */
export function plainEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (!/^GIT_/.test(entry[0]) || kept.test(entry[0])),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_PAGER: "cat",
    // A missing object of a partial clone must not make git fetch.
    GIT_NO_LAZY_FETCH: "1",
    // A reference below refs/replace would give any object another content.
    GIT_NO_REPLACE_OBJECTS: "1",
    // Reading must not take the index lock: an agent works in the same folder.
    GIT_OPTIONAL_LOCKS: "0",
  };
}

const kept = /^GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL)|EXEC_PATH|SSL_\w+)$/;

/** Throws where git is missing: where there is no repository either, that would only be the second thing to do about it. */
export async function requireGit(): Promise<void> {
  await runGit(["--version"], { cwd: "/", env: plainEnvironment() });
}

/** Node names the program when the folder that it is to run in is missing. */
export function couldNotRun(folder: string, cause: Error): PanewardError {
  const refused = systemFailure(cause);
  if (refused) return refused;
  if (!existsSync(folder)) {
    return new PanewardError("not_found", `the folder ${folder} does not exist`, { cause, hint: "check the path" });
  }
  return new PanewardError("unavailable", "git was not found on the PATH of the daemon", {
    cause,
    hint: "install git, then try again; `paneward doctor` shows what else is missing",
  });
}

/** It never started. */
function isOfSystem(error: ExecFileException | null): boolean {
  return String(Reflect.get(error ?? {}, "syscall") ?? "").startsWith("spawn");
}

/** Others killed it, as a system without memory does. What it was asked is not answered then, neither yes nor no. */
function notRun(cwd: string, error: ExecFileException | null): unknown {
  if (isOfSystem(error)) return error?.code === "ENOENT" ? couldNotRun(cwd, error) : error;
  return new PanewardError("unavailable", `git was killed by ${error?.signal}`, {
    hint: "the system may have had no memory left: end what is not needed, then try again",
    cause: error,
  });
}

function silent(): PanewardError {
  return new PanewardError("unavailable", "git does not answer", {
    hint: "`git --version` should answer at once on the PATH of the daemon; `paneward doctor` looks for it too",
  });
}

function exitCodeOf(error: { readonly code?: unknown } | null): number {
  if (!error) return 0;
  return typeof error.code === "number" ? error.code : 128;
}
