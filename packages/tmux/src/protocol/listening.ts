/** How the terminal of a pane takes input at this moment. The kernel says so; nothing that is printed can change it. */
export interface Listening {
  /** Whether a program in the foreground reads the terminal; "unknown" where that cannot be seen. */
  readonly reads: "yes" | "no" | "unknown";
  /** Whole lines are read and not echoed: what is typed now is a secret. */
  readonly hidden: boolean;
  /** The program takes every key itself, as full-screen programs do. */
  readonly raw: boolean;
  /** A program was seen to wait for the terminal, and for nothing else. */
  readonly waits?: boolean;
}

/** What a thread waits for: its terminal, one of several things that may include it, or something else. */
export type Wait = "terminal" | "terminal or socket" | "several" | "other" | "unknown";

export interface TerminalFacts {
  /** What `stty -a` prints; empty where it does not work. */
  readonly modes: string;
  /** One for each thread of the foreground group. */
  readonly waits: readonly Wait[];
}

export const unknownListening: Listening = { reads: "unknown", hidden: false, raw: false };

/** What the facts about a terminal mean. */
export function listeningOf({ modes, waits }: TerminalFacts): Listening {
  const [canonical, echo] = [flag(modes, "icanon"), flag(modes, "echo")];
  const seen = waits.includes("terminal") ? { waits: true } : {};
  const mayRead = waits.includes("terminal") || waits.includes("terminal or socket");
  // Raw mode and hidden input are set by a program that is about to read, and never by printing.
  if (canonical === false) return { reads: "yes", hidden: false, raw: true, ...seen };
  if (canonical === true && echo === false) return { reads: "yes", hidden: true, raw: false, ...seen };
  if (mayRead) return { reads: "yes", hidden: false, raw: false, ...seen };
  const isSure = waits.length > 0 && waits.every((wait) => wait === "other");
  return { reads: isSure ? "no" : "unknown", hidden: false, raw: false };
}

/**
 * What a thread waits for, by its state and the kernel's name for the place (`/proc/PID/wchan`). A blocking read of a
 * terminal sleeps in `n_tty_read` or, since Linux 4, in `wait_woken`, as a read of a socket does. The name is "0" for a
 * thread that runs, and for one of another user.
 */
export function waitBy(state: string, place: string): Wait {
  if (/^[RDTt]/.test(state)) return "other";
  if (place === "" || place === "0" || place === "-") return "unknown";
  if (/^(n_tty_read|tty_read)/.test(place)) return "terminal";
  if (/^wait_woken/.test(place)) return "terminal or socket";
  return /poll|select|io_uring|io_cqring/.test(place) ? "several" : "other";
}

// `stty -a` prints `icanon` or `-icanon`.
function flag(modes: string, name: string): boolean | undefined {
  const [, minus] = new RegExp(`(?:^|[\\s;])(-?)${name}(?=[\\s;]|$)`).exec(modes) ?? [];
  return minus === undefined ? undefined : minus === "";
}
