import { TmuxError } from "./errors.ts";

/** One command: its name and arguments, never a shell string. */
export type Command = readonly string[];

/** Commands that tmux runs without interruption; the first failure skips the rest. */
export type Sequence = readonly Command[];

/** A sequence as one line for control mode. */
export function controlLine(sequence: Sequence): string {
  refuseNul(sequence);
  return sequence.map((command) => command.map(controlArgument).join(" ")).join(" ; ");
}

/** A sequence as arguments for a spawned tmux. */
export function spawnArguments(sequence: Sequence): string[] {
  refuseNul(sequence);
  return sequence.flatMap((command, at) => {
    const args = command.map(spawnArgument);
    return at === 0 ? args : [";", ...args];
  });
}

/** One argument for a POSIX shell. */
export function posixArgument(text: string): string {
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Escapes text where tmux expects a format (names, titles, folders): `##` is `#`, so that `#(…)` runs nothing. A run of
 * `#` before `[` starts a style, which tmux leaves unchanged.
 */
export function literal(text: string): string {
  return text.replace(/#+(?![#[])/g, "$&$&");
}

/** Escapes a shell command for tmux's `pipe-pane`, which expands `#{…}` and `%Y` first. */
export function pipeCommand(shellCommand: string): string {
  return literal(shellCommand).replaceAll("%", "%%");
}

// Inside double quotes tmux still interprets `$ ~ \ " #`; octal escapes are safe everywhere. Characters beyond ASCII
// pass unchanged.
function controlArgument(text: string): string {
  const escaped = text.replace(/[^A-Za-z0-9 _./:=@,+\u0080-\u{10ffff}-]/gu, (char) => {
    return `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}

// A trailing `;` ends a command on tmux's command line; `\;` is a literal semicolon.
function spawnArgument(text: string): string {
  return text.endsWith(";") ? `${text.slice(0, -1)}\\;` : text;
}

function refuseNul(sequence: Sequence): void {
  const command = sequence.find((args) => args.some((arg) => arg.includes("\0")));
  if (command) throw new TmuxError("send_failed", "a NUL character cannot be sent through tmux", { argv: command });
}
