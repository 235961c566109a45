import { PanewardError } from "./errors.ts";

/** What Node's errors of the system carry. */
interface SystemError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  readonly dest?: unknown;
}

/** What the system refuses to any program: room, files, processes, memory, permission, a place that is taken. Undefined for every other error. */
export function systemFailure(cause: unknown): PanewardError | undefined {
  if (typeof cause !== "object" || cause === null || cause instanceof PanewardError) return undefined;
  const error: SystemError = cause;
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new PanewardError("storage_full", `no room on the disk${nameOf(error, " for ")}`, {
        hint: "free some disk space, or remove files if there are too many (`df -h`, `df -i`), then try again",
        cause,
      });
    case "EMFILE":
    case "ENFILE":
      return new PanewardError("unavailable", "as many files are open as may be", {
        hint: "try again; if it lasts, start the daemon with a higher `ulimit -n`",
        cause,
      });
    case "EROFS":
      return new PanewardError("unavailable", `${named(error)} cannot be written: the file system is read-only`, {
        hint: "make it writable, or use a folder that is, then try again",
        cause,
      });
    case "EACCES":
    case "EPERM":
      return new PanewardError("unavailable", `${named(error)}: permission denied`, {
        hint: "check its owner and the permissions of the folders above it, then try again",
        cause,
      });
    case "ENOTDIR":
    case "EISDIR":
      return typeof error.path === "string" ? inTheWay(error, cause) : undefined;
    default:
      return notStarted(error, cause);
  }
}

function inTheWay(error: SystemError, cause: unknown): PanewardError {
  const what = error.code === "ENOTDIR" ? "a file is where a folder is needed" : "a folder is where a file is needed";
  return new PanewardError("unavailable", `${named(error)}: ${what}`, {
    hint: "move away what is in its place, or use another path, then try again",
    cause,
  });
}

function notStarted({ code, syscall }: SystemError, cause: unknown): PanewardError | undefined {
  const [, program] = /^spawn(?: (.+))?$/.exec(String(syscall ?? "")) ?? [];
  if ((code !== "EAGAIN" && code !== "ENOMEM") || program === undefined) return undefined;
  return new PanewardError("unavailable", `${program} could not be started: the system has no more to give`, {
    hint: "it limits processes (`ulimit -u`) and memory: end what is not needed, then try again",
    cause,
  });
}

/** The file, and what the system said where it named none. */
function named(error: SystemError): string {
  return nameOf(error) || String(error.message);
}

/** The file, as a person can look it up. A held folder has a path of this process only; the copy matters, not its source. */
function nameOf({ path, dest }: SystemError, before = ""): string {
  const file = typeof dest === "string" ? dest : path;
  if (typeof file !== "string") return "";
  const [, within] = /^\/(?:proc\/self|dev)\/fd\/\d+\/?(.*)$/.exec(file) ?? [];
  const name = within ?? file;
  return name === "" ? "" : before + name;
}
