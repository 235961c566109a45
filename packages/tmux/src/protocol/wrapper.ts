import type { Exit } from "./formats.ts";

/**
 * A shell that runs a program as its child, so that its exit status is exact and its last output is not lost.
 *
 * tmux 3.3a drops output printed just before a program exits, and sometimes the exit itself (docs/decisions/0002).
 * So after the program has ended, the wrapper
 * 1. prints an exit mark after the last byte of output: an OSC sequence no terminal shows, which ends up in the journal;
 * 2. sends the terminal a query (`CSI c`) and waits for the answer: then tmux has read everything before it;
 * 3. closes the terminal, waits until tmux noticed, and exits as the program did.
 * `$0` is a file with the mark's secret. It is read and emptied before the program starts, because a program can read
 * its parent's arguments and environment; only the wrapper's memory has it then. `$1` is a file for the shell's own
 * message: a shell prints "Killed" for a signal and nothing for an exit code of 137. It is looked at by its descriptor, so
 * removing it hides nothing; a program that writes into it can pretend to be killed. The shell prints nothing for SIGINT; there
 * the wrapper checks whether Ctrl-C reached it as well. The parentheses make dash print that message to its own stderr
 * instead of the program's. Signals are ignored only once the program has ended, which others can see: `endsItself`.
 */
const script = `i=0 f=$1 n=; shift
IFS= read -r n <"$0"; : >"$0"
trap i=1 INT; trap : QUIT TERM
exec 3>&2 2>"$f"
("$@" 2>&3 3>&-)
s=$? k=x$?
trap "" HUP INT QUIT TERM
if [ $s -gt 128 ]; then if [ -s /dev/fd/2 ] || [ -s "$f" ] || [ $i$s = 1130 ]; then k=s$((s-128)); fi; fi
printf '\\033]1717;%s;%s;%s\\033\\\\' "$n" $$ $k
stty -echo -icanon min 0 time 255 2>/dev/null && printf '\\033[c' && dd bs=256 count=1 >/dev/null 2>&1
exec </dev/null >/dev/null 2>&1 3>&-
sleep 0.03 || sleep 1
case $k in s*) ulimit -c 0; trap - HUP INT QUIT TERM; kill -\${k#s} $$ ;; esac
exit $s`;

/** The argv that runs `program` inside the wrapper. */
export function wrapped(program: readonly string[], secretFile: string, shellMessageFile: string): readonly string[] {
  return ["/bin/sh", "-c", script, secretFile, shellMessageFile, ...program];
}

/**
 * Whether the wrapper says by its signals that its program has ended, from the text of `/proc/PID/status`: a program
 * cannot make its parent ignore them. Also true for a wrapper that is gone, and where there is no such file.
 */
export function endsItself(status: string): boolean {
  if (status === "" || /^State:\s*[ZX]/m.test(status)) return true;
  const ignored = BigInt(`0x${/^SigIgn:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? "0"}`);
  return (ignored & ignoredAtEnd) === ignoredAtEnd;
}

// HUP, INT, QUIT and TERM.
const ignoredAtEnd = 0x4007n;

/** Whether this command line, as `ps` shows it, is the wrapper's. */
export function isWrapper(commandLine: string): boolean {
  return commandLine.startsWith(`/bin/sh -c ${script.slice(0, script.indexOf("\n"))}`);
}

export interface ExitMark {
  readonly pid: number;
  readonly exit: Exit;
  /** Where the mark begins and ends in the searched text, including the wrapper's query. */
  readonly start: number;
  readonly end: number;
}

/** Whether a secret in a mark is one of this journal's. */
export type IsSecret = (secret: string) => boolean;

const introducer = "\u001b]1717;";
const question = "\u001b[c";
/** Hexadecimal digits of a mark's secret. */
export const secretLength = 32;
/** Upper bound: the secret, a pid, a status, the query. */
export const maxMarkLength = 64;

/** Finds the next exit mark with a secret of ours. The text is the journal read as latin1, so offsets are bytes. */
export function findExitMark(latin1: string, isSecret: IsSecret, from = 0): ExitMark | undefined {
  for (let start = latin1.indexOf(introducer, from); start >= 0; start = latin1.indexOf(introducer, start + 1)) {
    const body = latin1.slice(start + introducer.length, start + maxMarkLength);
    const [all, secret, pid, kind, value] = /^([0-9a-f]{32});(\d+);([xs])(\d+)\u001b\\/.exec(body) ?? [];
    if (all === undefined || secret === undefined || !isSecret(secret)) continue;
    const exit: Exit =
      kind === "x" ? { kind: "exited", code: Number(value) } : { kind: "killed", signal: Number(value) };
    const behind = start + introducer.length + all.length;
    const end = latin1.startsWith(question, behind) ? behind + question.length : behind;
    return { pid: Number(pid), exit, start, end };
  }
  return undefined;
}

/** Start of an incomplete mark at the end of the text; the text's length if there is none. */
export function startOfPartialMark(latin1: string, isSecret: IsSecret): number {
  const from = Math.max(0, latin1.length - maxMarkLength);
  for (let at = latin1.indexOf("\u001b", from); at >= 0; at = latin1.indexOf("\u001b", at + 1)) {
    const tail = latin1.slice(at);
    if (introducer.startsWith(tail)) return at;
    if (tail.startsWith(introducer) && isUnfinished(tail.slice(introducer.length), isSecret)) return at;
  }
  return latin1.length;
}

function isUnfinished(body: string, isSecret: IsSecret): boolean {
  const secret = body.slice(0, secretLength);
  if (body.length < secretLength) return /^[0-9a-f]*$/.test(secret);
  return unfinished.test(body.slice(secretLength)) && isSecret(secret);
}

// What may follow the secret while the mark, or the query after it, is still being written.
const unfinished = /^(;(\d+(;([xs]\d*(\u001b(\\(\u001b(\[)?)?)?)?)?)?)?)?$/;
