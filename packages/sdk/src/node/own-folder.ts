import { PanewardError } from "../errors.ts";

// As in unix.ts: a command that only connects should not load what it does not need.
const { accessSync, constants, existsSync, mkdirSync, statSync } = process.getBuiltinModule("node:fs");
const { dirname, resolve } = process.getBuiltinModule("node:path");

export interface Owned {
  readonly uid: number;
  readonly mode: number;
}

/**
 * Makes a folder that only its owner can enter. One that exists is used as it is, its mode is never changed, and it is
 * refused if another user could replace what is in it. `hint` says how to name a different folder.
 */
export function ownFolder(folder: string, hint: string): void {
  try {
    makeFolders(folder);
  } catch (cause) {
    throw cannotBeMade(folder, hint, cause);
  }
  const problem = folderProblem(chainOf(folder), ownUid());
  if (problem !== undefined) throw new PanewardError("unavailable", problem, { hint });
}

/** A folder and those above it, for their owner only. Node's own way never ends below /proc, where no folder can be made. */
export function makeFolders(folder: string): void {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path !== dirname(path)) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function cannotBeMade(folder: string, hint: string, cause: unknown): PanewardError {
  const above = lastThere(folder);
  const failed = (why: string, cure: string) =>
    new PanewardError("unavailable", `the folder ${folder} cannot be made${why}`, {
      hint: `${cure}, or ${hint}`,
      cause,
    });
  if (statSync(above).isDirectory()) return failed(` in ${above}: ${whyNot(above, cause)}`, `make ${above} writable`);
  return failed(above === resolve(folder) ? ": a file is in its place" : `: ${above} is a file`, `move ${above} away`);
}

/** The same for several, each with its hint. Where more than one cannot be made, the hint says so of all of them at once. */
export function ownFolders(wanted: readonly (readonly [folder: string, hint: string])[]): void {
  const refused = wanted.flatMap(([folder, hint]) => {
    try {
      ownFolder(folder, hint);
      return [];
    } catch (error) {
      return [{ error, hint }];
    }
  });
  const [first, ...more] = refused;
  if (first === undefined) return;
  if (!(first.error instanceof PanewardError) || more.length === 0) throw first.error;
  const { code, message, hint, cause } = first.error;
  const rest = more.map((one) => one.hint);
  throw new PanewardError(code, message, { hint: [hint, ...rest].join(", and "), cause });
}

/** Refuses a socket at which another user could be listening. A missing one is reported by connecting to it. */
export function checkOwnSocket(path: string): void {
  const socket = statSync(path, { throwIfNoEntry: false });
  if (socket === undefined) return;
  const folder = statSync(dirname(resolve(path)));
  const problem = socketProblem(path, socket, folder, ownUid());
  if (problem === undefined) return;
  throw new PanewardError("unavailable", problem, {
    hint: "nothing was sent; set PANEWARD_SOCKET_PATH to a path in a folder of your own",
  });
}

/** Refuses a path at which no socket can be made, before anything else is made. `settings` says what names it. */
export function checkSocketPath(path: string, settings = "`PANEWARD_SOCKET_PATH`"): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxBytes) return;
  throw new PanewardError(
    "bad_input",
    `the path of a socket has at most ${maxBytes} bytes, and this one ${bytes}: ${path}`,
    {
      hint: `set ${settings} to a shorter one`,
    },
  );
}

// The size of the kernel's sun_path, without its final zero.
const maxBytes = process.platform === "linux" ? 107 : 103;

/** Why what is in the first folder is not safe from other users; the rest are the folders above it. */
export function folderProblem(
  [own, ...above]: readonly (Owned & { readonly path: string })[],
  uid: number,
): string | undefined {
  if (own === undefined) return undefined;
  if (own.uid !== uid) return `the folder ${own.path} belongs to another user`;
  if (isWritable(own.mode, 0o022)) {
    return `the folder ${own.path} is shared with other users: its mode is ${octal(own.mode)}, and they can write to it`;
  }
  const open = above.find(({ mode }) => isWritable(mode, 0o002) && !isSticky(mode));
  return (
    open && `the folder ${open.path}, which holds ${own.path}, has mode ${octal(open.mode)}: others can replace it`
  );
}

/** The same for a socket. Root could read everything anyway. */
export function socketProblem(path: string, socket: Owned, folder: Owned, uid: number): string | undefined {
  if (!isTrusted(socket, uid)) return `the socket ${path} belongs to another user`;
  if (!isTrusted(folder, uid)) return `the folder of the socket ${path} belongs to another user`;
  if (!isWritable(folder.mode, 0o022) || isSticky(folder.mode)) return undefined;
  return `the folder of the socket ${path} has mode ${octal(folder.mode)}: other users can replace the socket`;
}

function isTrusted({ uid }: Owned, own: number): boolean {
  return uid === own || uid === 0;
}

function isWritable(mode: number, bits: number): boolean {
  return (mode & bits) !== 0;
}

function isSticky(mode: number): boolean {
  return (mode & 0o1000) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8);
}

function lastThere(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) if (at === dirname(at) || existsSync(at)) return at;
}

/** Node reports a read-only file system as a folder that is not there. */
function whyNot(folder: string, cause: unknown): string {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    return (error as Error).message;
  }
  return (cause as Error).message;
}

function ownUid(): number {
  return process.getuid?.() ?? 0;
}

function chainOf(folder: string): readonly (Owned & { readonly path: string })[] {
  const path = resolve(folder);
  const { uid, mode } = statSync(path);
  const up = dirname(path);
  const own = { path, uid, mode };
  return up === path ? [own] : [own, ...chainOf(up)];
}
